// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static io.sluice.multipath.engine.FragmentBed.PORT;
import static io.sluice.multipath.engine.FragmentBed.VIRTUAL;
import static io.sluice.multipath.engine.FragmentBed.VIRTUAL_6;
import static io.sluice.multipath.engine.FragmentBed.only;
import static io.sluice.multipath.engine.FragmentBed.udp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole and fragmented datagrams of many connections, both ways and between clients, while cables are lost, servers are
 * drained and the controller restarts. The model: every fragment arrives; a connection stays at the server that it got
 * first, as long as its flow is there; replies come from the address that the client has asked.
 */
class RandomFragmentsTest {
    private static final int STEPS = 600;
    private static final int PORTS = 6;

    private final FragmentBed net = new FragmentBed();
    /** The server of each connection that has a flow. */
    private final Map<Connection, Host> model = new HashMap<>();
    private MultipathConfig config = net.config(OptionalInt.empty(), 1, 1, 1);
    private Random random;
    private String where;

    @ParameterizedTest
    @ValueSource(longs = { 1, 2, 3, 4 })
    void everyFragmentArrivesAtTheServerOfItsConnection(final long seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            where = "seed " + seed + ", step " + step;
            act();
        }
        assertNull(net.bed.counts.totals().get(Counted.FRAGMENTS_DROPPED), where);
        assertTrue(model.size() > PORTS, "most connections are in use");
    }

    private void act() {
        switch (random.nextInt(20)) {
            case 0 -> flap(pick(List.copyOf(net.bed.shown.links())));
            case 1 -> drain();
            case 2 -> net.bed.start(config);
            case 3 -> pass();
            case 4, 5, 6, 7 -> reply();
            case 8, 9, 10 -> plain();
            default -> ask();
        }
    }

    private void ask() {
        final var client = pick(net.clients);
        final var asking = net.asking(client, random.nextBoolean(), 1000 + random.nextInt(PORTS));
        final Host server;
        if (random.nextInt(3) == 0) {
            server = only(List.of(net.whole(client, asking)), asking.source());
        } else {
            server = only(net.datagram(client, asking, order()), asking.source());
        }
        assertEquals(model.computeIfAbsent(asking, first -> server), server, where);
    }

    private void reply() {
        if (!model.isEmpty()) {
            final var asked = pick(List.copyOf(model.keySet()));
            final var server = model.get(asked);
            final var from = address(server, FragmentBed.isIpv6(asked));
            final var back = new Connection(asked.protocol(), from, asked.source(), PORT, asked.sourcePort());
            final var arrived = random.nextBoolean() ? net.datagram(server, back, order())
                : List.of(net.whole(server, back));
            final var client = only(arrived, FragmentBed.isIpv6(asked) ? VIRTUAL_6 : VIRTUAL);
            assertTrue(client.addresses().contains(asked.source()), where);
        }
    }

    private void plain() {
        final var pair = new ArrayList<>(net.clients);
        Collections.shuffle(pair, random);
        final boolean ipv6 = random.nextBoolean();
        final var plain = udp(address(pair.get(0), ipv6), address(pair.get(1), ipv6), 1000 + random.nextInt(PORTS));
        assertEquals(pair.get(1), only(random.nextBoolean() ? net.datagram(pair.get(0), plain, order())
            : List.of(net.whole(pair.get(0), plain)), plain.source()), where);
    }

    /** Loses a cable between switches for a while, of which the other spine makes up. */
    private void flap(final Link link) {
        net.bed.cut(link);
        ask();
        reply();
        net.bed.restore(link);
    }

    private void drain() {
        final int drained = random.nextInt(4);
        config = net.config(OptionalInt.empty(), drained == 0 ? 0 : 1, drained == 1 ? 0 : 1, drained == 2 ? 0 : 1);
        net.bed.engine.configure(config);
        net.bed.run();
    }

    /** Some connections become idle, some leave a drained server; the model follows those that keep their flows. */
    private void pass() {
        net.bed.clock.advance(Duration.ofSeconds(random.nextInt(70)));
        net.bed.await(net.bed.engine.review(false));
        net.bed.run();
        final var now = new HashMap<FlowKey, InetAddress>();
        net.bed.engine.flows().forEach(flow -> now.put(flow.record().key(), flow.record().server()));
        model.keySet().removeIf(asked -> !now.containsKey(FlowKey.of(asked)));
        model.replaceAll((asked, before) -> {
            final var server = host(now.get(FlowKey.of(asked)));
            assertTrue(server.equals(before) || isDrained(before), where);
            return server;
        });
    }

    private Host host(final InetAddress address) {
        return net.servers.stream().filter(server -> server.addresses().contains(address)).findFirst().orElseThrow();
    }

    private boolean isDrained(final Host server) {
        return config.services().values().stream().flatMap(service -> service.servers().stream())
            .anyMatch(offer -> server.addresses().contains(offer.address()) && offer.weight() == 0);
    }

    private List<Integer> order() {
        final var order = new ArrayList<>(List.of(0, 1, 2));
        if (random.nextInt(4) == 0) {
            Collections.shuffle(order, random);
        }
        return order;
    }

    private <T> T pick(final List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    private static InetAddress address(final Host host, final boolean ipv6) {
        return ipv6 ? Addresses.ipv6(host) : Addresses.ipv4(host);
    }
}
