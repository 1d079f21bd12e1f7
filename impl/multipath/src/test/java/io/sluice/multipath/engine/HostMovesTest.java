// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostMovesTest {
    private static final FabricSnapshot BEFORE = Topologies.figure10(Bandwidth.ofMegabits(1000));
    private static final int CLIENT = 0;
    private static final int SERVER = 7;

    /** To a switch of its own, and to that of the other host. */
    @ParameterizedTest
    @CsvSource({CLIENT + ",3", SERVER + ",3", CLIENT + ",6", SERVER + ",1"})
    void flowsFollowAHostThatMoves(final int moving, final int neighbour) {
        final var after = moved(moving, neighbour);
        final var bed = new EngineBed(after, config(after));
        bed.show(BEFORE);
        final var connection = connection(after, 1000, 80);
        bed.connect(BEFORE.hosts().get(CLIENT), connection);
        assertInstanceOf(TransferAnswer.Granted.class, bed.await(bed.engine.request(new Transfer("download",
            Addresses.ipv4(after.hosts().get(CLIENT)), "files", List.of(1, 2), Optional.empty(),
            OptionalLong.empty()))));
        bed.events.clear();

        bed.show(after);
        assertEquals(List.of("moved HOST_MOVED", "moved HOST_MOVED", "moved HOST_MOVED"), bed.events);
        for (var each : List.of(connection, connection(after, 77, 8001), connection(after, 78, 8002))) {
            assertArrives(bed, after.hosts().get(CLIENT), after.hosts().get(SERVER), each);
            assertArrives(bed, after.hosts().get(SERVER), after.hosts().get(CLIENT), each.reversed());
        }

        bed.show(after);
        assertEquals(3, bed.events.size());
        bed.engine.flows().stream().toList().forEach(flow -> assertEquals(Optional.empty(), flow.pending()));
    }

    private static void assertArrives(final EngineBed bed, final Host from, final Host to, final Connection packet) {
        final var there = bed.send(from, to, packet);
        assertTrue(there.endsOnlyAt(to), there::toString);
    }

    private static Connection connection(final FabricSnapshot fabric, final int clientPort, final int port) {
        return new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(fabric.hosts().get(CLIENT)),
            Addresses.ipv4(fabric.hosts().get(SERVER)), clientPort, port);
    }

    private static FabricSnapshot moved(final int moving, final int neighbour) {
        final var there = BEFORE.hosts().get(neighbour).attachment();
        return new FabricSnapshot(BEFORE.version() + 1, BEFORE.switches(), BEFORE.ports(), BEFORE.links(),
            BEFORE.hosts().stream().map(host -> host.equals(BEFORE.hosts().get(moving))
                ? new Host(host.mac(), host.addresses(), there) : host).toList());
    }

    private static MultipathConfig config(final FabricSnapshot fabric) {
        final var service = new Service("files", FlowMatch.PROTOCOL_TCP, Optional.empty(), OptionalInt.empty(), 2,
            OptionalInt.empty(), Optional.empty(), List.of(new Server("s1",
                Addresses.ipv4(fabric.hosts().get(SERVER)), 100, 1,
                List.of(new ServerPort(8001, 1), new ServerPort(8002, 2)))), 60_000);
        return new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(500_000, 100_000, 10_000_000_000L), 60_000,
            Map.of("files", service), Map.of());
    }
}
