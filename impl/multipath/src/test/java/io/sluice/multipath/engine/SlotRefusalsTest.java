// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.FabricSnapshot;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.multipath.placement.Strategy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told of slots whose packets find no way. */
class SlotRefusalsTest {
    private final SlotBed slots = new SlotBed(Strategy.JOINT, 3, 1);

    @Test
    void slotsThatFindNoWayAreToldOfOnce() {
        slots.bed.engine.configure(slots.without());
        slots.bed.runUntil(slots.bed::isBare);
        final var leaf = slots.clientHosts.getFirst().attachment().switchId();
        final var uplinks = slots.bed.whole.links().stream().filter(link -> link.source().switchId().equals(leaf))
            .toList();
        uplinks.forEach(slots.bed::cut);
        slots.bed.engine.configure(slots.config(3, 1));
        slots.pass(Duration.ofSeconds(40));
        slots.pass(Duration.ofSeconds(40));
        assertEquals(Set.of("refused 12 slots of web at " + leaf + ": server s1 can't be reached from there",
            "refused 4 slots of web at " + leaf + ": server s2 can't be reached from there"),
            Set.copyOf(refusals()));
        assertEquals(2, refusals().size());
        assertEquals(2, slots.bed.counts.totals().get(Counted.SLOTS_REFUSED));
        uplinks.forEach(slots.bed::restore);
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
    }

    @Test
    void slotsWhoseLastPathBreaksAreToldOfOnce() {
        final var leaf = slots.clientHosts.getFirst().attachment().switchId();
        slots.bed.whole.links().stream().filter(link -> link.source().switchId().equals(leaf))
            .forEach(slots.bed::cut);
        slots.pass(Duration.ofSeconds(40));
        assertEquals(2, refusals().stream().filter(event -> event.contains(leaf + ": server s")).count());
    }

    @Test
    void slotsWithoutAServerAreToldOf() {
        final var all = slots.bed.whole;
        slots.bed.engine.configure(slots.without());
        slots.bed.runUntil(slots.bed::isBare);
        slots.bed.start(slots.without());
        slots.bed.show(new FabricSnapshot(2, all.switches(), all.ports(), all.links(), slots.clientHosts));
        slots.bed.engine.configure(slots.config(3, 1));
        slots.bed.run();
        assertEquals(2, refusals().size());
        assertTrue(refusals().getFirst().startsWith("refused 16 slots of web at "), refusals()::toString);
        assertTrue(refusals().getFirst().endsWith(": no server was seen that is not drained"), refusals()::toString);
    }

    private List<String> refusals() {
        return slots.bed.events.stream().filter(event -> event.contains(" slots of web at ")).toList();
    }
}
