// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.FlowMatch;
import io.sluice.api.Fragment;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Packet;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Hosts that send UDP datagrams, whole and in fragments, and two services over UDP: one each for IPv4 and IPv6. */
final class FragmentBed {
    static final InetAddress VIRTUAL = Addresses.ip("10.9.9.9");
    static final InetAddress VIRTUAL_6 = Addresses.ip("fd00::99");
    static final int PORT = 53;
    static final int FRAGMENTS = 3;
    /** Longer than a test lasts. */
    private static final long DRAIN_MS = 86_400_000;
    private static final FabricSnapshot NETWORK =
        Topologies.leafSpine(4, 2, 1, 2, Rates.equal(Bandwidth.ofMegabits(10)));
    private static final MacAddress GATEWAY = MacAddress.of("02:00:00:00:99:99");

    final EngineBed bed;
    final List<Host> clients = NETWORK.hosts().subList(0, 5);
    final List<Host> servers = NETWORK.hosts().subList(5, 8);
    private final List<Packet> sent = new ArrayList<>();
    private final Map<Integer, List<Got>> got = new TreeMap<>();
    private long identification;

    /** A packet that came to a host, as from {@code source}. */
    record Got(Host host, InetAddress source) { }

    FragmentBed() {
        bed = new EngineBed(NETWORK, config(OptionalInt.empty(), 1, 1, 1));
    }

    /** Both services, with the servers' weights. */
    MultipathConfig config(final OptionalInt slots, final int... weights) {
        return of(Stream.of(service("v4", VIRTUAL, slots, Addresses::ipv4, weights),
            service("v6", VIRTUAL_6, slots, Addresses::ipv6, weights)).toList());
    }

    static MultipathConfig of(final List<Service> services) {
        return new MultipathConfig(Strategy.ECMP, 1000, new PlacerSettings(500_000, 100_000, 10_000_000_000L), 60_000,
            services.stream().collect(Collectors.toMap(Service::name, Function.identity())), Map.of());
    }

    Service service(final String name, final InetAddress virtual, final OptionalInt slots,
            final Function<Host, InetAddress> address, final int... weights) {
        return new Service(name, FlowMatch.PROTOCOL_UDP, Optional.of(virtual), OptionalInt.empty(), 1, slots,
            Optional.empty(), IntStream.range(0, weights.length).mapToObj(i -> new Server("s" + i,
                address.apply(servers.get(i)), 1000, weights[i], List.of(new ServerPort(PORT, 1)))).toList(),
            DRAIN_MS);
    }

    /** The same service with other servers. */
    static Service with(final Service service, final List<Server> servers) {
        return new Service(service.name(), service.protocol(), service.virtualAddress(), service.virtualPort(),
            service.pieces(), service.slots(), service.strategy(), servers, service.drainMs());
    }

    static Connection udp(final InetAddress from, final InetAddress to, final int port) {
        return new Connection(FlowMatch.PROTOCOL_UDP, from, to, port, PORT);
    }

    /** A client's connection to the virtual address. */
    Connection asking(final Host client, final boolean ipv6, final int port) {
        return ipv6 ? udp(Addresses.ipv6(client), VIRTUAL_6, port) : udp(Addresses.ipv4(client), VIRTUAL, port);
    }

    /** A datagram in three fragments; returns where each came to. */
    List<List<Got>> datagram(final Host from, final Connection connection) {
        return datagram(from, connection, List.of(0, 1, 2));
    }

    /** The same, its fragments in this order. */
    List<List<Got>> datagram(final Host from, final Connection connection, final List<Integer> order) {
        final int start = sent.size();
        identification++;
        order.forEach(place -> send(from, packet(from, connection).cut(new Fragment(identification, place == 0))));
        bed.run();
        return collect(start);
    }

    /** A whole packet; returns where it came to. */
    List<Got> whole(final Host from, final Connection connection) {
        final int start = sent.size();
        send(from, packet(from, connection));
        bed.run();
        return collect(start).getFirst();
    }

    /** Asserts that all fragments came to one host, as from {@code source}, and nowhere else; returns it. */
    static Host only(final List<List<Got>> arrived, final InetAddress source) {
        final var host = arrived.getFirst().stream().map(Got::host).findFirst();
        arrived.forEach(each -> assertEquals(host.map(there -> new Got(there, source)).stream().toList(), each,
            arrived::toString));
        return host.orElseThrow(() -> new AssertionError("nothing arrived"));
    }

    private static Packet packet(final Host from, final Connection connection) {
        final var mac = NETWORK.host(connection.destination()).map(Host::mac).orElse(GATEWAY);
        return Packet.of(from.mac(), mac, connection);
    }

    private void send(final Host from, final Packet packet) {
        sent.add(packet);
        pass(from, sent.size() - 1);
    }

    /** Lets a packet cross the network; what no entry takes reaches the engine, as a switch and the parser hand it. */
    private void pass(final Host from, final int number) {
        final var packet = sent.get(number);
        final var journey = bed.network.send(from, packet);
        journey.deliveries().forEach(delivery -> note(number, delivery.host(),
            delivery.packet().connection().orElseThrow().source()));
        journey.toController().forEach(report -> bed.hand(new FirstPacket(from.attachment(), packet.fragment()
            .filter(fragment -> !fragment.first()).map(fragment -> portless(packet)).orElseGet(() ->
            packet.connection().orElseThrow()), packet.fragment(), frame(number))));
    }

    private static byte[] frame(final int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    private static Connection portless(final Packet packet) {
        final var whole = packet.connection().orElseThrow();
        return new Connection(whole.protocol(), whole.source(), whole.destination(), 0, 0);
    }

    private void note(final int number, final Host host, final InetAddress source) {
        got.computeIfAbsent(number, first -> new ArrayList<>()).add(new Got(host, source));
    }

    private List<List<Got>> collect(final int start) {
        bed.relayed.forEach(relayed -> note(number(relayed.packet()), relayed.to(), relayed.source()));
        bed.relayed.clear();
        final var again = List.copyOf(bed.released);
        bed.released.clear();
        again.forEach(packet -> pass(NETWORK.hosts().stream().filter(host ->
            host.attachment().equals(packet.ingress())).findFirst().orElseThrow(), number(packet)));
        bed.run();
        return IntStream.range(start, sent.size()).mapToObj(number -> got.getOrDefault(number, List.of())).toList();
    }

    private static int number(final FirstPacket packet) {
        return ByteBuffer.wrap(packet.frame()).getInt();
    }

    static boolean isIpv6(final Connection connection) {
        return connection.source() instanceof Inet6Address;
    }
}
