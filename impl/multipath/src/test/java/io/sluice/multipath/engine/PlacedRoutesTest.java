// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MaskedIp;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two connections over two spines, and who asks where they go. */
class PlacedRoutesTest {
    private final EngineBed bed = new EngineBed(
        Topologies.leafSpine(2, 2, 1, 1, Rates.equal(Bandwidth.ofMegabits(100))),
        new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(0, 0, 0), 60_000, Map.of(), Map.of()));
    private final InetAddress client = Addresses.ipv4(bed.host(0));
    private final InetAddress server = Addresses.ipv4(bed.host(1));

    @Test
    void pathsAreThoseOfThePacketsThatAreAskedFor() {
        connect(1000);
        connect(1001);
        final var flows = List.copyOf(bed.engine.flows());
        final var routes = new PlacedRoutes(flows);

        assertEquals(Set.of(flows.getFirst().forward(), flows.getLast().forward()),
            Set.copyOf(routes.of(between(client, server).build())));
        for (var flow : flows) {
            final int port = flow.record().key().clientPort().getAsInt();
            final var tcp = FlowMatch.PROTOCOL_TCP;
            assertEquals(List.of(flow.forward()), routes.of(between(client, server).ipProtocol(tcp)
                .l4Source(port).build()));
            assertEquals(List.of(flow.backward()), routes.of(between(server, client).ipProtocol(tcp)
                .l4Destination(port).build()));
        }
    }

    @Test
    void packetsThatNobodyPlacedHaveNone() {
        connect(1000);
        final var routes = new PlacedRoutes(bed.engine.flows());

        assertEquals(List.of(), routes.of(between(client, server).ipProtocol(FlowMatch.PROTOCOL_UDP).build()));
        assertEquals(List.of(), routes.of(between(client, server).ipProtocol(FlowMatch.PROTOCOL_TCP).l4Destination(81)
            .build()));
        assertEquals(List.of(), routes.of(between(client, Addresses.ip("10.0.0.9")).build()));
        assertEquals(List.of(), routes.of(between(Addresses.ip("fd00::1"), Addresses.ip("fd00::2")).build()));
    }

    @Test
    void untaggedPacketsHaveNoPathOfAVlan() {
        final var tagged = bed.whole.hosts().stream().map(host -> new Host(10, host.mac(), host.addresses(),
            host.attachment()));
        bed.show(new FabricSnapshot(bed.whole.version() + 1, bed.whole.switches(), bed.whole.ports(),
            bed.whole.links(), tagged.toList()));
        bed.connect(bed.host(0), new Connection(10, FlowMatch.PROTOCOL_TCP, client, server, 1000, 80));
        final var routes = new PlacedRoutes(bed.engine.flows());

        assertEquals(List.of(), routes.of(between(client, server).build()));
        assertEquals(1, routes.of(between(client, server).vlan(10).build()).size());
    }

    private static FlowMatch.Builder between(final InetAddress from, final InetAddress to) {
        return FlowMatch.builder().source(MaskedIp.host(from)).destination(MaskedIp.host(to));
    }

    private void connect(final int port) {
        bed.connect(bed.host(0), new Connection(FlowMatch.PROTOCOL_TCP, client, server, port, 80));
    }
}
