// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Claim;
import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Installation.InPlace;
import io.sluice.api.Link;
import io.sluice.api.Owner;
import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import io.sluice.multipath.steering.Placement.Placed;
import io.sluice.testlib.FabricEntries;
import io.sluice.testlib.FakeNetwork;
import io.sluice.testlib.FakeProgrammer;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.Installed;
import io.sluice.testlib.Journey;
import io.sluice.testlib.Packet;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** A network with the fabric's own entries, on which changes are carried out. */
final class Testbed {
    static final Owner FABRIC = new Owner("fabric", 1);
    static final Owner MULTIPATH = new Owner("multipath", 2);

    final FakeNetwork network;
    final FabricSnapshot whole;
    final Steering steering = new Steering(MULTIPATH);
    private final FakeProgrammer programmer;
    private final Claim claim;
    private final Map<SwitchId, List<Installed>> bare;

    Testbed(final FabricSnapshot whole) {
        this.whole = whole;
        network = new FakeNetwork(whole);
        programmer = new FakeProgrammer(network);
        programmer.claim(FABRIC).declare(1, FabricEntries.of(whole));
        bare = held();
        claim = programmer.claim(MULTIPATH);
        carryOut(steering.observe(whole));
    }

    /** Number {@code index} of the hosts, from 0. */
    Host host(final int index) {
        return whole.hosts().get(index);
    }

    void carryOut(final Changes changes) {
        carryOut(changes, claim, () -> { });
    }

    /** Carries out changes step by step and lets {@code check} look at each state on the way. */
    static void carryOut(final Changes changes, final Claim claim, final Runnable check) {
        for (var declared : changes.declared()) {
            assertEquals(new InPlace(), claim.declare(declared.record().object(), declared.entries())
                .toCompletableFuture().join());
            check.run();
        }
        for (var withdrawn : changes.withdrawn()) {
            claim.withdraw(withdrawn.object());
            check.run();
        }
    }

    Claim claim() {
        return claim;
    }

    Placed place(final FlowRequest request) {
        final var placed = assertInstanceOf(Placed.class, steering.place(request));
        carryOut(placed.changes());
        return placed;
    }

    /** Asserts that the switches hold the fabric's entries and no other. */
    void assertBare() {
        assertEquals(bare, held());
    }

    long changesOnSwitches() {
        return network.switches().stream().mapToLong(FakeSwitch::changes).sum();
    }

    /** Asserts that a packet each way between the two hosts arrives, whatever the way, and nowhere else. */
    void assertArrives(final Host client, final Host server, final Connection connection) {
        final var there = network.send(client, Packet.of(client, server, connection));
        assertTrue(there.endsOnlyAt(server), () -> connection + ": " + there);
        final var got = there.deliveries().getFirst().packet().connection().orElseThrow();
        final var back = network.send(server, Packet.of(server, client, got.reversed()));
        assertTrue(back.endsOnlyAt(client), () -> connection.reversed() + ": " + back);
        assertEquals(connection.reversed(), back.deliveries().getFirst().packet().connection().orElseThrow());
    }

    Journey send(final Host client, final Host server, final Connection connection) {
        return network.send(client, Packet.of(client, server, connection));
    }

    /** A simple path that is the shortest one for link weights drawn from {@code random}. */
    static Path randomPath(final FabricSnapshot snapshot, final SwitchId from, final SwitchId to,
            final Random random) {
        final var weights = snapshot.links().stream()
            .collect(Collectors.toMap(link -> link, link -> 1 + random.nextInt(20)));
        final var cost = new HashMap<>(Map.of(from, 0));
        final var by = new HashMap<SwitchId, Link>();
        for (int round = 0; round < snapshot.switches().size(); round++) {
            for (var link : snapshot.links()) {
                final var next = link.destination().switchId();
                final Integer here = cost.get(link.source().switchId());
                if (here != null && here + weights.get(link) < cost.getOrDefault(next, Integer.MAX_VALUE)) {
                    cost.put(next, here + weights.get(link));
                    by.put(next, link);
                }
            }
        }
        final var links = new ArrayList<Link>();
        for (var at = to; !at.equals(from); at = links.getFirst().source().switchId()) {
            links.addFirst(by.get(at));
        }
        return new Path(from, to, links);
    }

    /** The path over the given switches; between two of them, over the first of their parallel links. */
    Path path(final int... switches) {
        final var links = new ArrayList<Link>();
        for (int i = 1; i < switches.length; i++) {
            links.add(link(switches[i - 1], switches[i]));
        }
        return new Path(id(switches[0]), id(switches[switches.length - 1]), links);
    }

    /** The first link between two switches. */
    Link link(final int from, final int to) {
        return whole.links().stream().filter(link -> link.source().switchId().equals(id(from))
            && link.destination().switchId().equals(id(to))).findFirst().orElseThrow();
    }

    static SwitchId id(final int number) {
        return new SwitchId("openflow:" + number);
    }

    private Map<SwitchId, List<Installed>> held() {
        return network.switches().stream().collect(Collectors.toMap(FakeSwitch::id, FakeSwitch::entries));
    }
}
