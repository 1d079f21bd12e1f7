// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Packet;
import io.sluice.testlib.Topologies;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PacketsTest {
    private static final InetAddress FROM = Addresses.ip("10.0.0.1");
    private static final InetAddress TO = Addresses.ip("10.0.0.2");
    private static final OptionalInt TCP = OptionalInt.of(FlowMatch.PROTOCOL_TCP);
    private static final OptionalInt ANY = OptionalInt.empty();
    private static final OptionalInt SOURCE = OptionalInt.of(1000);
    private static final OptionalInt DESTINATION = OptionalInt.of(80);

    @Test
    void whoSaysMoreHasThePackets() {
        final var network = Topologies.line(1, 1, 2, Topologies.Rates.equal(Bandwidth.ofMegabits(10)));
        final var bed = new EngineBed(network);
        final var all = List.of(new Packets(FROM, TO, ANY, ANY, ANY), new Packets(FROM, TO, TCP, ANY, ANY),
            new Packets(FROM, TO, TCP, SOURCE, ANY), new Packets(FROM, TO, TCP, ANY, DESTINATION),
            new Packets(FROM, TO, TCP, SOURCE, DESTINATION));
        bed.configure(IntStream.range(0, all.size()).mapToObj(n -> new BandwidthConfig.FlowConfig("f" + n, all.get(n),
            0, 1, Bandwidth.ZERO, Optional.empty())).toArray(BandwidthConfig.FlowConfig[]::new));
        final var packet = Packet.of(network.hosts().getFirst(), network.hosts().getLast(),
            new Connection(FlowMatch.PROTOCOL_TCP, FROM, TO, 1000, 80));

        bed.network.send(network.hosts().getFirst(), packet);

        final var node = bed.network.at(network.hosts().getFirst().attachment().switchId());
        final var metered = node.entries().stream().filter(installed ->
            installed.entry() instanceof Entry.Flow flow && flow.meter().isPresent()
                && node.traffic(flow).packets() > 0).toList();
        assertEquals(5, bed.meters().size());
        assertEquals(List.of(EngineBed.OWNER.cookie(4)), metered.stream().map(installed -> installed.cookie())
            .toList());
    }

    @Test
    void faultsAreNamed() {
        final var mixed = new Packets(FROM, Addresses.ip("fd00::1"), ANY, ANY, ANY);
        assertEquals(Optional.of("source " + FROM.getHostAddress() + " and destination fd00:0:0:0:0:0:0:1 are not of"
            + " one family; give both as IPv4 or both as IPv6"), mixed.fault());
        final var icmp = OptionalInt.of(FlowMatch.PROTOCOL_ICMP);
        assertEquals(Optional.of("a port needs protocol tcp or udp"),
            new Packets(FROM, TO, icmp, ANY, DESTINATION).fault());
        assertEquals(Optional.of("a port needs protocol tcp or udp"), new Packets(FROM, TO, ANY, SOURCE, ANY).fault());
        assertEquals(Optional.empty(), new Packets(FROM, TO, icmp, ANY, ANY).fault());
    }
}
