// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.MaskedIp;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two hosts with 48 addresses each, on leaves 1 and 2, use a service of two servers on leaves 3 and 4, over four spines
 * whose links differ.
 */
final class SlotBed {
    static final InetAddress VIRTUAL = Addresses.ip("10.9.9.9");
    static final int PORT = 80;
    static final int SLOTS = 16;
    /** Megabits per second of the links of each spine. */
    static final List<Integer> SPINE_WEIGHTS = List.of(4, 3, 2, 1);
    private static final int ADDRESSES = 48;
    private static final FabricSnapshot PLAIN =
        Topologies.leafSpine(4, SPINE_WEIGHTS.size(), 1, 1, Rates.equal(Bandwidth.ofMegabits(10)));

    final EngineBed bed;
    final List<Host> clientHosts;
    final List<Host> servers = PLAIN.hosts().subList(2, 4);
    private final Strategy strategy;

    SlotBed(final Strategy strategy, final int... weights) {
        this(strategy, weights[0], weights[1],
            List.of(client(PLAIN.hosts().get(0), 1), client(PLAIN.hosts().get(1), 2)));
    }

    SlotBed(final Strategy strategy, final int first, final int second, final List<Host> clientHosts) {
        this.strategy = strategy;
        this.clientHosts = clientHosts;
        final var hosts = new ArrayList<>(clientHosts);
        hosts.addAll(servers);
        bed = new EngineBed(new FabricSnapshot(1, PLAIN.switches(), PLAIN.ports(),
            PLAIN.links().stream().map(SlotBed::weighted).toList(), hosts), config(first, second));
    }

    MultipathConfig config(final int first, final int second) {
        return config(OptionalInt.of(SLOTS), first, second);
    }

    /** The same service with other slots. */
    MultipathConfig divided(final int number) {
        return config(OptionalInt.of(number), 1, 1);
    }

    /** The same service without its first server, the other one with another weight. */
    MultipathConfig withoutFirst(final int second) {
        final var before = config(0, second);
        final var service = before.services().get("web");
        return new MultipathConfig(strategy, before.refreshMs(), before.placer(), before.idleMs(),
            Map.of("web", new Service("web", service.protocol(), service.virtualAddress(), service.virtualPort(),
                service.pieces(), service.slots(), service.strategy(), service.servers().subList(1, 2),
                service.drainMs())), Map.of());
    }

    /** The same service without slots. */
    MultipathConfig without() {
        return config(OptionalInt.empty(), 1, 1);
    }

    private MultipathConfig config(final OptionalInt slots, final int first, final int second) {
        final var ports = List.of(new ServerPort(PORT, 1));
        final var service = new Service("web", FlowMatch.PROTOCOL_TCP, Optional.of(VIRTUAL), OptionalInt.empty(), 1,
            slots, Optional.empty(), List.of(new Server("s1", Addresses.ipv4(servers.get(0)), 4, first, ports),
                new Server("s2", Addresses.ipv4(servers.get(1)), 4, second, ports)), FileService.DRAIN.toMillis());
        return new MultipathConfig(strategy, 10_000, new PlacerSettings(250_000, 100_000, 10_000_000_000L), 60_000,
            Map.of("web", service), Map.of());
    }

    /** All addresses of clients, and the host that has each. */
    Map<InetAddress, Host> clients() {
        final var clients = new LinkedHashMap<InetAddress, Host>();
        clientHosts.forEach(host -> host.addresses().forEach(address -> clients.put(address, host)));
        return clients;
    }

    Connection connection(final InetAddress client) {
        return new Connection(FlowMatch.PROTOCOL_TCP, client, VIRTUAL, 1000, PORT);
    }

    /** Sends there and back, and asserts that the client is answered by the virtual address. */
    void assertServed(final Host host, final InetAddress client) {
        final var there = bed.send(host, servers.getFirst(), connection(client));
        assertEquals(1, there.deliveries().size(), () -> client + ": " + there);
        assertTrue(there.toController().isEmpty() && there.losses().isEmpty(), there::toString);
        final var delivery = there.deliveries().getFirst();
        assertTrue(servers.contains(delivery.host()));
        final var back = bed.send(delivery.host(), host, delivery.packet().connection().orElseThrow().reversed());
        assertTrue(back.endsOnlyAt(host), () -> client + ": " + back);
        assertEquals(Optional.of(connection(client).reversed()), back.deliveries().getFirst().packet().connection());
    }

    void send(final Host host, final InetAddress client, final int packets) {
        for (int packet = 0; packet < packets; packet++) {
            bed.send(host, servers.getFirst(), connection(client));
        }
    }

    /** The server that a client's packet comes to. */
    Host server(final Host host, final InetAddress client) {
        return bed.send(host, servers.getFirst(), connection(client)).deliveries().getFirst().host();
    }

    /** The port by which a client's packet leaves its switch. */
    PortId uplink(final Host host, final InetAddress client) {
        return bed.send(host, servers.getFirst(), connection(client)).links().getFirst().source();
    }

    /** The link from a host's switch to a spine, from 0. */
    Link uplink(final Host host, final int spine) {
        return bed.whole.links().stream().filter(link -> link.source().switchId().equals(host.attachment().switchId()))
            .sorted().toList().get(spine);
    }

    Map<Integer, InetAddress> serverOfSlots() {
        final var servers = new TreeMap<Integer, InetAddress>();
        bed.engine.flows().forEach(flow -> servers.put(SlotTable.slotOf(flow), flow.record().server()));
        return servers;
    }

    /** Where all slots go. */
    Map<Long, List<Object>> places() {
        return bed.engine.flows().stream().collect(Collectors.toMap(flow -> flow.record().id(), flow ->
            List.of(flow.record(), Splits.hops(flow.forward()), Splits.hops(flow.backward()))));
    }

    /** Time goes by in which all clients send something, and a review. */
    void pass(final Duration time) {
        clients().forEach((address, host) -> send(host, address, 1));
        idle(time);
    }

    /** Time goes by in which nobody sends, and a review. */
    void idle(final Duration time) {
        bed.clock.advance(time);
        bed.await(bed.engine.review(false));
        bed.run();
    }

    /** The addresses of clients in a subnet. */
    static Set<InetAddress> addresses(final int subnet) {
        return IntStream.rangeClosed(1, ADDRESSES).mapToObj(number -> Addresses.ip("10.1." + subnet + "." + number))
            .collect(Collectors.toSet());
    }

    /** How replies find each client switch: the patterns of all its slots. */
    Map<SwitchId, Set<MaskedIp>> replyPatterns() {
        return bed.engine.flows().stream().collect(Collectors.groupingBy(flow -> flow.record().clientSide(),
            Collectors.flatMapping(flow -> flow.record().replyTo().stream(), Collectors.toSet())));
    }

    private static Host client(final Host host, final int subnet) {
        return new Host(host.mac(), addresses(subnet), host.attachment());
    }

    private static Link weighted(final Link link) {
        final int spine = Math.max(number(link.source()), number(link.destination())) - 5;
        return new Link(link.source(), link.destination(), Bandwidth.ofMegabits(SPINE_WEIGHTS.get(spine)),
            Bandwidth.ZERO);
    }

    private static int number(final PortId port) {
        return Integer.parseInt(port.switchId().value().substring("openflow:".length()));
    }
}
