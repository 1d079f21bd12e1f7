// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PathLabel;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.engine.FlowState.Reason;
import io.sluice.multipath.engine.MultipathConfig;
import io.sluice.multipath.engine.Refusal;
import io.sluice.multipath.engine.Usage;
import io.sluice.multipath.placement.Alternative;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.placement.Bottleneck;
import io.sluice.multipath.placement.Candidate;
import io.sluice.multipath.placement.Candidate.Load;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Piece;
import io.sluice.multipath.placement.Strategy;
import io.sluice.multipath.placement.Weighing;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.Purpose;
import io.sluice.testlib.Addresses;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.WeighedServer.LoadSource;

/** Decisions, refusals and servers as RESTCONF shows them. */
class ExplainCodecTest {
    private static final SwitchId HERE = new SwitchId("openflow:1");
    private static final SwitchId THERE = new SwitchId("openflow:2");
    private static final Link LINK = new Link(new PortId(HERE, 3), new PortId(THERE, 4), Bandwidth.ofMegabits(10),
        Bandwidth.ofMegabits(4));
    private static final Path PATH = new Path(HERE, THERE, List.of(LINK));
    private static final Candidate CANDIDATE = new Candidate("s1", Addresses.ip("10.0.0.2"), 6001, THERE,
        new Load(0.25, 0.5), 3);
    private static final Traffic NOTHING = new Traffic(0, 0);

    @Test
    void aDecisionIsToldWithItsFigures() {
        final var better = alternative(Bandwidth.ofMegabits(6));
        final var worse = alternative(Bandwidth.ofMegabits(2));
        final var decision = ExplainCodec.decision(flow(new Reason(Optional.of(new Assignment(1, List.of(1, 2),
            CANDIDATE, PATH, PATH, Bandwidth.ofMegabits(6),
            Optional.of(new Bottleneck(LINK, Bandwidth.ofMegabits(4), 1)),
            new Weighing(7, List.of(better, worse), true, "it is so"))))));

        assertEquals("openflow:1:3 > openflow:2", decision.getPath());
        assertEquals(6_000_000, decision.getExpectedRate().getValue().longValue());
        assertEquals(2, decision.getPiece().size());
        assertEquals(7, decision.getConsidered().intValue());
        assertEquals("openflow:1:3->openflow:2:4", decision.getBindingLink().getLink());
        assertEquals(4_000_000, decision.getBindingLink().getBackground().getValue().longValue());
        assertEquals(4_000_000, decision.getRunnerUp().getLess().getValue().longValue());
        final var first = decision.nonnullAlternative().values().iterator().next();
        assertEquals(500_000, first.getLoad().getValue().intValue());
        assertEquals(LoadSource.Reported, first.getLoadSource());
        assertEquals(400_000, first.getUtilisation().getValue().intValue());
        assertEquals(3, first.getRoom().intValue());
    }

    @Test
    void aFlowOfAnEarlierRunSaysSo() {
        final var decision = ExplainCodec.decision(flow(new Reason(Optional.empty())));

        assertTrue(decision.getBecause().startsWith("placed in an earlier run"), decision::toString);
        assertEquals("s1", decision.getServer());
        assertNull(decision.getExpectedRate());
    }

    @Test
    void aDecisionNamesTheVlan() {
        final var key = FlowKey.of(new Connection(10, FlowMatch.PROTOCOL_TCP, Addresses.ip("10.0.0.1"),
            Addresses.ip("10.0.0.2"), 1000, 6001));
        final var decision = ExplainCodec.decision(flow(key, new Reason(Optional.empty())));
        assertEquals(10, decision.getVlan().getValue().intValue());
        assertNull(ExplainCodec.decision(flow(new Reason(Optional.empty()))).getVlan());
    }

    @Test
    void aRefusalIsToldWithTheServersAndWhatWouldHelp() {
        final var refusal = ExplainCodec.refusal(new Refusal(Instant.EPOCH, Addresses.ip("10.0.0.1"),
            Optional.empty(), Optional.of("store"), Optional.of(new Demand(Addresses.ip("10.0.0.1"), HERE,
                List.of(new Piece(1, List.of(CANDIDATE))), 2, Optional.of(Bandwidth.ofMegabits(1)), Strategy.JOINT,
                0)), "no room", Optional.of("wait")));

        assertEquals("1970-01-01T00:00:00Z", refusal.getRefused().getValue());
        assertEquals("wait", refusal.getNeeded());
        assertEquals(1_000_000, refusal.getBandwidth().getValue().longValue());
        final var server = refusal.nonnullCandidate().values().iterator().next();
        assertEquals(6001, server.getPort().getValue().intValue());
        assertEquals(3, server.getRoom().intValue());
    }

    @Test
    void serversAreShownWithTheirLoadAndTheRequestsOfEachPort() {
        final var service = StateCodec.service(new MultipathConfig.Service("store", FlowMatch.PROTOCOL_TCP,
            Optional.empty(), OptionalInt.empty(), 2, OptionalInt.empty(), Optional.empty(), List.of(
                new MultipathConfig.Server("s1", Addresses.ip("10.0.0.2"), 4, 1, List.of(
                    new MultipathConfig.ServerPort(6001, 1), new MultipathConfig.ServerPort(6002, 2)))), 60_000),
            server -> Optional.of(0.25), server -> Optional.of(Instant.EPOCH), (server, port) -> port - 6000);

        final var server = service.nonnullServer().values().iterator().next();
        assertEquals(250_000, server.getReportedLoad().getValue().intValue());
        assertEquals("1970-01-01T00:00:00Z", server.getDrainingSince().getValue());
        server.nonnullPort().values().forEach(port -> assertEquals(port.getNumber().getValue().intValue() - 6000,
            port.getCurrentRequests().intValue()));
    }

    private static Alternative alternative(final Bandwidth rate) {
        return new Alternative(CANDIDATE, Optional.of(PATH), OptionalLong.of(2500), 0.4, Optional.of(rate));
    }

    private static FlowState flow(final Reason why) {
        return flow(FlowKey.toPort(FlowMatch.PROTOCOL_TCP, Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"), 6001),
            why);
    }

    private static FlowState flow(final FlowKey key, final Reason why) {
        final var record = new FlowRecord(5, key, Addresses.ip("10.0.0.2"), List.of(key.clients()), HERE, THERE,
            Optional.of(new FlowRecord.Labels(new PathLabel(1), new PathLabel(2))), new Purpose("JOINT",
                Optional.of("t1"), Optional.of("store"), Optional.of("s1"), OptionalInt.of(1)));
        return new FlowState(record, PATH, PATH, Optional.empty(), why, Instant.EPOCH, 0, 0,
            new Usage(NOTHING, NOTHING, Bandwidth.ZERO, Bandwidth.ZERO, 0, 0), Optional.empty());
    }
}
