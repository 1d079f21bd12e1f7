// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import static io.sluice.testlib.Addresses.ipv4;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Bandwidth;
import io.sluice.api.Claim;
import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.Installation.InPlace;
import io.sluice.api.Installation.Pending;
import io.sluice.api.Link;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Journey.Loss;
import io.sluice.testlib.Outcome.Drop;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two switches, one host on each, ports: 1 the host, 2 the other switch. */
class FakeNetworkTest {
    private static final Owner OWNER = new Owner("test", 3);
    private static final SwitchId LEFT = new SwitchId("openflow:1");
    private static final SwitchId RIGHT = new SwitchId("openflow:2");

    private final FakeNetwork network = new FakeNetwork(
        Topologies.line(2, 1, 1, Topologies.Rates.equal(Bandwidth.ofMegabits(10))));
    private final FakeProgrammer programmer = new FakeProgrammer(network);
    private final Claim claim = programmer.claim(OWNER);
    private final Host near = network.snapshot().hosts().getFirst();
    private final Host far = network.snapshot().hosts().getLast();
    private final Link link = network.snapshot().links().getFirst();
    private final Packet packet =
        Packet.of(near, far, new Connection(FlowMatch.PROTOCOL_UDP, ipv4(near), ipv4(far), 1, 2));

    @Test
    void packetFollowsTheEntriesToTheHost() {
        declareWay(1);

        final var journey = network.send(near, packet);

        assertTrue(journey.endsOnlyAt(far), journey.toString());
        assertEquals(List.of(link), journey.links());
    }

    @Test
    void cutCableStopsThePacketUntilItIsRestored() {
        declareWay(1);
        network.cut(link);
        assertEquals(List.of(new Loss(LEFT, Drop.OUTPUT_DOWN)), network.send(near, packet).losses());
        assertEquals(List.of(), network.snapshot().links());

        network.restore(new Link(link.destination(), link.source(), link.capacity(), link.load()));

        assertTrue(network.send(near, packet).endsOnlyAt(far));
        assertEquals(2, network.snapshot().links().size());
        assertEquals(3, network.snapshot().version());
    }

    @Test
    void hostsMayHaveOtherAddresses() {
        declareWay(1);
        network.populate(List.of(near, new Host(far.mac(), near.addresses(), far.attachment())));
        assertEquals(List.of(new Loss(RIGHT, Drop.NOBODY_THERE)), network.send(near, packet).losses());

        network.populate(List.of(near, far));
        assertTrue(network.send(near, packet).endsOnlyAt(far));
    }

    @Test
    void loopIsFound() {
        claim.declare(1, Map.of(LEFT, List.of(flow(FlowMatch.builder().inPort(1).build(), new Action.Output(2)),
            flow(FlowMatch.builder().inPort(2).build(), new Action.OutputToIngress())),
            RIGHT, List.of(flow(FlowMatch.ANY, new Action.OutputToIngress()))));

        assertEquals(Drop.TOO_MANY_HOPS, network.send(near, packet).losses().getFirst().reason());
    }

    @Test
    void hostTakesOnlyWhatIsAddressedToIt() {
        declareWay(1);

        final var journey = network.send(near, Packet.of(near, near, packet.connection().orElseThrow()));

        assertEquals(List.of(new Loss(RIGHT, Drop.NOBODY_THERE)), journey.losses());
    }

    @Test
    void declaringAgainReplacesAndWithdrawingRemoves() {
        declareWay(1);
        claim.declare(1, Map.of(LEFT, List.of(flow(FlowMatch.ANY, new Action.OutputToController()))));

        assertEquals(1, network.send(near, packet).toController().size());
        assertEquals(List.of(), network.at(RIGHT).entries());
        claim.withdraw(1);
        assertEquals(List.of(), network.at(LEFT).entries());
    }

    @Test
    void groupStandsBeforeItsFlowAndChangesInPlace() {
        for (long port = 2; port >= 1; port--) {
            final var group = new FailoverGroup(OWNER.groupId(1), List.of(new Bucket(port, List.of())));
            assertEquals(new InPlace(), declare(1, LEFT,
                flow(FlowMatch.ANY, new Action.ToGroup(OWNER.groupId(1))), group));
            assertTrue(network.at(LEFT).entries().contains(new Installed(group, 0)));
        }
    }

    @Test
    void refusalsComeBackAsReasons() {
        assertInstanceOf(Pending.class, declare(1, LEFT, flow(FlowMatch.ANY, new Action.Output(77))));
        assertInstanceOf(Pending.class, declare(2, new SwitchId("openflow:9"), flow(FlowMatch.ANY)));
        declare(3, LEFT, flow(FlowMatch.ANY));
        assertInstanceOf(Pending.class, declare(4, LEFT, flow(FlowMatch.ANY)));
        assertThrows(IllegalStateException.class, () -> programmer.claim(OWNER));
    }

    @Test
    void switchThatWasAwayCatchesUp() {
        declareWay(1);
        claim.restored();
        programmer.detach(RIGHT);
        claim.withdraw(1);
        assertInstanceOf(Pending.class, declare(2, RIGHT, flow(FlowMatch.ANY, new Action.OutputToController())));

        programmer.attach(RIGHT);

        assertEquals(List.of(new Installed(flow(FlowMatch.ANY, new Action.OutputToController()), OWNER.cookie(2))),
            network.at(RIGHT).entries());
    }

    @Test
    void nextControllerAdoptsWhatIsDeclaredAgainAndRemovesTheRest() {
        declareWay(1);
        declare(2, LEFT, new FailoverGroup(OWNER.groupId(1), List.of()));
        network.at(LEFT).add(new Flow(1, 5, FlowMatch.ANY, List.of()), 0x1234);
        final var next = new FakeProgrammer(network).claim(OWNER);
        final long changes = network.at(LEFT).changes();

        next.declare(1, way());
        assertEquals(changes, network.at(LEFT).changes());
        next.restored();

        assertEquals(List.of(OWNER.cookie(1), 0x1234L),
            network.at(LEFT).entries().stream().map(Installed::cookie).toList());
    }

    @Test
    void trafficIsCountedByObject() {
        declareWay(6);
        network.send(near, packet);

        assertEquals(Map.of(6L, new Claim.Traffic(1, Packet.LENGTH_BYTES)),
            claim.traffic(LEFT, 0).toCompletableFuture().join());
        assertEquals(Map.of(), claim.traffic(LEFT, 1).toCompletableFuture().join());
    }

    private void declareWay(final long object) {
        assertEquals(new InPlace(), claim.declare(object, way()).toCompletableFuture().join());
    }

    private Map<SwitchId, List<Entry>> way() {
        return Map.of(LEFT, List.of(flow(FlowMatch.ANY, new Action.Output(2))),
            RIGHT, List.of(flow(FlowMatch.ANY, new Action.Output(1))));
    }

    private Object declare(final long object, final SwitchId at, final Entry... entries) {
        return claim.declare(object, Map.of(at, List.of(entries))).toCompletableFuture().join();
    }

    private static Flow flow(final FlowMatch match, final Action... actions) {
        return new Flow(0, 1, match, List.of(actions));
    }
}
