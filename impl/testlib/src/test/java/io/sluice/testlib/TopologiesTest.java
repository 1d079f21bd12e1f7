// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Topologies.Rates;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TopologiesTest {
    private static final Rates RATES =
        new Rates(Bandwidth.ofMegabits(1), Bandwidth.ofMegabits(2), Bandwidth.ofMegabits(3));

    @Test
    void fatTreeHasItsSizes() {
        check(Topologies.fatTree(4, 1, RATES), 20, 16, 32);
        check(Topologies.fatTree(4, 2, RATES), 20, 16, 48);
        check(Topologies.fatTree(6, 1, RATES), 45, 54, 108);
        assertThrows(IllegalArgumentException.class, () -> Topologies.fatTree(5, 1, RATES));
    }

    @Test
    void figure10HasItsSizesAndRates() {
        final var snapshot = Topologies.figure10(Bandwidth.ofMegabits(400));

        check(snapshot, 10, 8, 24);
        for (var host : snapshot.hosts()) {
            final var edge = host.attachment().switchId();
            final var uplinks = snapshot.links().stream()
                .filter(link -> link.source().switchId().equals(edge)).toList();
            assertEquals(4, uplinks.size());
            assertTrue(uplinks.stream().allMatch(link -> link.capacity().equals(Bandwidth.ofMegabits(100))));
        }
        assertEquals(16, snapshot.links().stream()
            .filter(link -> link.capacity().equals(Bandwidth.ofMegabits(1000))).count());
    }

    @Test
    void leafSpineLineAndRandomHaveTheirSizes() {
        check(Topologies.leafSpine(3, 2, 2, 4, RATES), 5, 12, 12);
        check(Topologies.line(4, 3, 2, RATES), 4, 8, 9);
        final long seed = new Random().nextLong();
        try {
            check(Topologies.random(new Random(seed), 12, 9, Bandwidth.ofMegabits(1)), 12, 12, 20);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void everyHostHasAddressesOfBothFamiliesThatNoOtherHas() {
        final var snapshot = Topologies.fatTree(4, 1, RATES);

        assertEquals(32, snapshot.hosts().stream().flatMap(host -> host.addresses().stream()).distinct().count());
        assertTrue(snapshot.hosts().stream().allMatch(host ->
            host.addresses().stream().map(address -> address.getAddress().length).collect(Collectors.toSet())
                .equals(Set.of(4, 16))));
        assertEquals(Addresses.ip("10.0.0.1"), Addresses.ipv4(snapshot.hosts().getFirst()));
        assertEquals(Addresses.ip("fd00::10"), Addresses.ipv6(snapshot.hosts().getLast()));
    }

    @Test
    void lostCableTakesBothDirectionsAndBothPorts() {
        final var snapshot = Topologies.line(3, 2, 1, RATES);
        final var lost = snapshot.links().getFirst();

        final var after = Topologies.without(snapshot, List.of(lost));

        assertEquals(snapshot.links().size() - 2, after.links().size());
        assertEquals(Set.of(lost.source(), lost.destination()), after.ports().values().stream()
            .filter(port -> !port.up()).map(port -> port.id()).collect(Collectors.toSet()));
        assertEquals(snapshot.version() + 1, after.version());
    }

    private static void check(final FabricSnapshot snapshot, final int switches, final int hosts, final int cables) {
        assertEquals(switches, snapshot.switches().size());
        assertEquals(hosts, snapshot.hosts().size());
        assertEquals(cables, Topologies.cables(snapshot).size());
        assertEquals(2 * cables, snapshot.links().size());
        assertEquals(hosts, snapshot.edgePorts().size());
        assertEquals(snapshot.switches(), reachable(snapshot));
    }

    private static Set<SwitchId> reachable(final FabricSnapshot snapshot) {
        final var start = snapshot.hosts().getFirst().attachment().switchId();
        final var seen = new HashSet<>(Set.of(start));
        final var pending = new ArrayDeque<>(Set.of(start));
        while (!pending.isEmpty()) {
            final var at = pending.remove();
            snapshot.links().stream().filter(link -> link.source().switchId().equals(at))
                .map(Link::destination).map(port -> port.switchId()).filter(seen::add).forEach(pending::add);
        }
        return seen;
    }
}
