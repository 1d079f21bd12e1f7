// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

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
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Figure 10, a client at one end of it, and at the other a server of a service in four pieces. */
final class FileService {
    static final Duration DRAIN = Duration.ofSeconds(60);
    static final InetAddress VIRTUAL = Addresses.ip("10.9.9.9");
    static final FabricSnapshot FIGURE_10 = Topologies.figure10(Bandwidth.ofMegabits(1000));
    static final Host CLIENT = FIGURE_10.hosts().getFirst();
    static final Host SERVER = FIGURE_10.hosts().getLast();

    private FileService() {
        // functions only
    }

    /** Packets of a connection from the client reach the server, and replies the client. */
    static void assertArrives(final EngineBed bed, final Connection connection) {
        final var there = bed.send(CLIENT, SERVER, connection);
        assertTrue(there.endsOnlyAt(SERVER), there::toString);
        final var back = bed.send(SERVER, CLIENT, connection.reversed());
        assertTrue(back.endsOnlyAt(CLIENT), back::toString);
    }

    static Transfer transfer(final Integer... pieces) {
        return new Transfer("download", Addresses.ipv4(CLIENT), "files", List.of(pieces), Optional.empty(),
            OptionalLong.empty());
    }

    static MultipathConfig config(final Map<String, Transfer> transfers) {
        return serving(List.of(server("s1", SERVER, 1, 2, 3, 4)), transfers);
    }

    static MultipathConfig serving(final List<Server> servers, final Map<String, Transfer> transfers) {
        return of(Map.of("files", service("files", servers)), transfers);
    }

    static Service service(final String name, final List<Server> servers) {
        return new Service(name, FlowMatch.PROTOCOL_TCP, Optional.of(VIRTUAL), OptionalInt.empty(), 4,
            OptionalInt.empty(), Optional.empty(), servers, DRAIN.toMillis());
    }

    static Server server(final String name, final Host host, final int... pieces) {
        return new Server(name, Addresses.ipv4(host), 100, 1,
            IntStream.of(pieces).mapToObj(piece -> new ServerPort(8000 + piece, piece)).toList());
    }

    static MultipathConfig of(final Map<String, Service> services, final Map<String, Transfer> transfers) {
        return new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(500_000, 100_000, 10_000_000_000L),
            60_000, services, transfers);
    }
}
