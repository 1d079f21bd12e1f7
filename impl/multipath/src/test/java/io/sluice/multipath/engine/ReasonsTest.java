// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.TransferAnswer.Refused;
import io.sluice.multipath.placement.Candidate.Load;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the engine remembers of its decisions and its refusals. */
class ReasonsTest {
    private static final FabricSnapshot FABRIC =
        Topologies.leafSpine(2, 2, 1, 1, Rates.equal(Bandwidth.ofMegabits(100)));
    private static final InetAddress CLIENT = Addresses.ipv4(FABRIC.hosts().getFirst());
    private static final InetAddress SERVER = Addresses.ipv4(FABRIC.hosts().getLast());
    private static final InetAddress NOBODY = Addresses.ip("10.77.0.1");

    private final EngineBed bed = new EngineBed(FABRIC, config());

    @Test
    void aFlowKeepsWhatItsDecisionWasBasedOn() {
        bed.engine.reportLoad("files", "s1", 0.3);
        bed.await(bed.engine.request(transfer(1, 2)));

        for (var flow : bed.engine.flows()) {
            final var made = flow.why().assignment().orElseThrow();
            assertEquals(List.of(1, 2), made.together());
            assertEquals(new Load(0, 0.3), made.candidate().load());
            assertEquals(2, made.candidate().room());
            assertEquals(1, made.bottleneck().orElseThrow().flows());
            assertTrue(flow.why().runnerUp().orElseThrow().startsWith("s1 over ["), flow::toString);
        }
    }

    @Test
    void aReportCountsForAMinuteAndAsLongAsItsServerIsThere() {
        bed.engine.reportLoad("files", "s1", 0.3);
        bed.clock.advance(Duration.ofSeconds(59));
        assertEquals(Optional.of(0.3), bed.engine.reportedLoad("files", "s1"));
        bed.engine.configure(config(Map.of()));
        bed.engine.configure(config());
        assertEquals(Optional.empty(), bed.engine.reportedLoad("files", "s1"));

        bed.engine.reportLoad("files", "s1", 0.3);
        bed.clock.advance(Duration.ofSeconds(60));
        assertEquals(Optional.empty(), bed.engine.reportedLoad("files", "s1"));
        bed.await(bed.engine.request(transfer(1)));
        assertEquals(Load.NONE, bed.engine.flows().iterator().next().why().assignment().orElseThrow().candidate()
            .load());
    }

    @Test
    void aFlowOfAnEarlierRunHasNoReasons() {
        bed.await(bed.engine.request(transfer(1)));
        bed.start(config());

        final var why = bed.engine.flows().iterator().next().why();
        assertEquals(Optional.empty(), why.assignment());
        assertEquals(Bandwidth.ZERO, why.expectedRate());
    }

    @Test
    void aRefusedTransferIsRememberedWithItsServersUntilItIsGranted() {
        final var refused = assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer(1, 2, 3))));

        final var refusal = bed.engine.refusals().ofTransfer("t").orElseThrow();
        assertEquals(refused.reason(), refusal.cause() + "; " + refusal.needed().orElseThrow());
        assertEquals("the servers have no room for piece 3", refusal.cause());
        final var pieces = refusal.demand().orElseThrow().pieces();
        assertEquals(3, pieces.size());
        assertEquals(2, pieces.getFirst().candidates().getFirst().room());

        bed.await(bed.engine.request(transfer(1)));
        assertEquals(Optional.empty(), bed.engine.refusals().ofTransfer("t"));
    }

    @Test
    void theLastRefusedConnectionOfAClientIsRemembered() {
        bed.connect(bed.host(0), connection(1000));

        final var refusal = bed.engine.refusals().ofClient(CLIENT).orElseThrow();
        assertEquals(Optional.of(NOBODY), refusal.destination());
        assertEquals("piece 1 is nowhere to be had: no host that offers it is known", refusal.cause());
    }

    @Test
    void ofManyRefusalsTheLatestAreKept() {
        final var refusals = new Refusals(bed.clock);
        final var why = new Refusal.Why(Optional.empty(), "no", Optional.empty());
        final var again = new Transfer("n0", CLIENT, "files", List.of(2), Optional.empty(), OptionalLong.empty());
        IntStream.range(0, Refusals.KEPT).forEach(number -> refusals.refused(
            new Transfer("n" + number, CLIENT, "files", List.of(1), Optional.empty(), OptionalLong.empty()), why));
        refusals.refused(again, why);
        refusals.refused(
            new Transfer("last", CLIENT, "files", List.of(1), Optional.empty(), OptionalLong.empty()), why);

        assertTrue(refusals.ofTransfer("n0").isPresent());
        assertEquals(Optional.empty(), refusals.ofTransfer("n1"));
        assertTrue(refusals.ofTransfer("last").isPresent());
    }

    private static Connection connection(final int port) {
        return new Connection(FlowMatch.PROTOCOL_TCP, CLIENT, NOBODY, port, 80);
    }

    private static Transfer transfer(final Integer... pieces) {
        return new Transfer("t", CLIENT, "files", List.of(pieces), Optional.empty(), OptionalLong.empty());
    }

    private static MultipathConfig config() {
        final var ports = IntStream.rangeClosed(1, 4).mapToObj(piece -> new ServerPort(8000 + piece, piece)).toList();
        return config(Map.of("files", new Service("files", FlowMatch.PROTOCOL_TCP, Optional.empty(),
            OptionalInt.empty(), 4, OptionalInt.empty(), Optional.empty(),
            List.of(new Server("s1", SERVER, 2, 1, ports)), 60_000)));
    }

    private static MultipathConfig config(final Map<String, Service> services) {
        return new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(500_000, 100_000, 10_000_000_000L),
            60_000, services, Map.of());
    }
}
