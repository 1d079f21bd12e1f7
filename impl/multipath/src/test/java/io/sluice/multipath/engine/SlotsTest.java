// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static io.sluice.multipath.engine.FileService.DRAIN;
import static io.sluice.multipath.engine.SlotBed.PORT;
import static io.sluice.multipath.engine.SlotBed.SLOTS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.Pipeline;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Installed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sixteen slots of the clients of two leaves; servers at the third; four spines with links of unlike capacity. */
class SlotsTest {
    private final SlotBed slots = new SlotBed(Strategy.JOINT, 3, 1);

    @Test
    void noClientNeedsTheController() {
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
        assertEquals(2 * SLOTS, slots.bed.engine.flows().size());
        assertEquals(List.of(), slots.bed.released);
    }

    @Test
    void serversAndPathsGetTheirWeightsButForPartOfASlot() {
        final var byServer = slots.clients().entrySet().stream().collect(Collectors.groupingBy(client ->
            slots.server(client.getValue(), client.getKey()), Collectors.counting()));
        assertShare(0.75, byServer.get(slots.servers.get(0)), slots.clients().size(), SLOTS);
        for (var host : slots.clientHosts) {
            final var ofHost = slots.clients().keySet().stream().filter(host.addresses()::contains).toList();
            final var first = ofHost.stream().filter(client -> slots.server(host, client)
                .equals(slots.servers.getFirst())).toList();
            for (int spine = 0; spine < SlotBed.SPINE_WEIGHTS.size(); spine++) {
                final var link = slots.uplink(host, spine).source();
                final long over = first.stream().filter(client -> slots.uplink(host, client).equals(link)).count();
                assertShare(SlotBed.SPINE_WEIGHTS.get(spine) / 10.0, over, first.size(), SLOTS * 3 / 4);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void everyStrategyServesAllClients(final Strategy strategy) {
        final var other = new SlotBed(strategy, 1, 1);
        other.clients().forEach((address, host) -> other.assertServed(host, address));
        final long paths = other.bed.engine.flows().stream().map(flow -> Splits.hops(flow.forward())).distinct()
            .count();
        assertEquals(strategy == Strategy.SINGLE ? 4 : 16, paths);
    }

    @Test
    void aFewEntriesDoForAllClients() {
        final long before = slots.bed.changes();
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
        assertEquals(before, slots.bed.changes());
        final var leaf = slots.clientHosts.getFirst().attachment().switchId();
        assertEquals(SLOTS, slots.bed.network.at(leaf).entries().stream().filter(classifying()::contains).count());
    }

    @Test
    void aSlotsServerIsTheSameAtAllSwitches() {
        final var servers = slots.bed.engine.flows().stream().collect(Collectors.groupingBy(SlotTable::slotOf,
            Collectors.mapping(flow -> flow.record().server(), Collectors.toSet())));
        servers.values().forEach(ofSlot -> assertEquals(1, ofSlot.size()));
    }

    @Test
    void aRestartChangesNothingAndHalfATopologyMovesNothing() {
        final long before = slots.bed.changes();
        final var flows = slots.places();
        final var whole = slots.bed.shown;
        slots.bed.shown = new FabricSnapshot(2, whole.switches(), whole.ports(), List.of(), List.of());
        slots.bed.start(slots.config(3, 1));
        slots.bed.show(new FabricSnapshot(3, whole.switches(), whole.ports(), whole.links(),
            whole.hosts().subList(0, 1)));
        slots.bed.await(slots.bed.engine.review(true));
        slots.bed.show(new FabricSnapshot(4, whole.switches(), whole.ports(), whole.links(), whole.hosts()));
        assertEquals(flows, slots.places());
        assertEquals(before, slots.bed.changes());
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
    }

    @Test
    void anyCableMayBreakWithTheControllerAsleepAndServersStay() {
        final var servers = slots.serverOfSlots();
        for (var cable : slots.bed.whole.links()) {
            slots.bed.network.cut(cable);
            slots.clients().forEach((address, host) -> slots.assertServed(host, address));
            slots.bed.show(slots.bed.network.snapshot());
            slots.clients().forEach((address, host) -> slots.assertServed(host, address));
            assertTrue(slots.bed.engine.flows().stream().noneMatch(flow -> flow.forward().links().stream()
                .anyMatch(link -> link.source().equals(cable.source()) || link.source().equals(cable.destination()))));
            slots.bed.restore(cable);
        }
        assertEquals(servers, slots.serverOfSlots());
    }

    @Test
    void theSlotsOfALostPathAreSharedOutOverTheOthers() {
        final var host = slots.clientHosts.getFirst();
        slots.bed.cut(slots.uplink(host, 0));
        final var first = slots.clients().keySet().stream().filter(host.addresses()::contains)
            .filter(client -> slots.server(host, client).equals(slots.servers.getFirst())).toList();
        for (int spine = 1; spine < SlotBed.SPINE_WEIGHTS.size(); spine++) {
            final var link = slots.uplink(host, spine).source();
            assertTrue(first.stream().anyMatch(client -> slots.uplink(host, client).equals(link)));
        }
    }

    @Test
    void theSlotsOfALostServerGoToTheOthersAndStayThereAsLongAsTheyCarry() {
        final var all = slots.bed.shown;
        final var lost = slots.servers.getFirst();
        slots.bed.show(new FabricSnapshot(2, all.switches(), all.ports(), all.links(),
            all.hosts().stream().filter(host -> !host.equals(lost)).toList()));
        assertEquals(List.of(Addresses.ipv4(slots.servers.get(1))),
            slots.serverOfSlots().values().stream().distinct().toList());
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
        assertTrue(slots.bed.events.contains("moved SERVER_GONE"));

        slots.bed.show(new FabricSnapshot(3, all.switches(), all.ports(), all.links(), all.hosts()));
        slots.pass(Duration.ofSeconds(40));
        slots.pass(Duration.ofSeconds(40));
        assertEquals(1, slots.serverOfSlots().values().stream().distinct().count());
        slots.idle(Duration.ofSeconds(61));
        slots.idle(Duration.ofSeconds(61));
        assertEquals(12, slots.serverOfSlots().values().stream().filter(Addresses.ipv4(lost)::equals).count());
    }

    @Test
    void theLastServersSlotsStayWhereTheyAre() {
        final var all = slots.bed.shown;
        final var before = slots.places();
        slots.bed.show(new FabricSnapshot(2, all.switches(), all.ports(), all.links(), slots.clientHosts));
        assertEquals(before, slots.places());
    }

    @Test
    void aServerBehindASwitchThatIsAwayIsGone() {
        final var apart = new SlotBed(Strategy.JOINT, 3, 1);
        final var all = apart.bed.shown;
        final var away = new HashSet<>(all.switches());
        away.remove(apart.servers.getFirst().attachment().switchId());
        apart.bed.show(new FabricSnapshot(2, away, all.ports(), all.links(), all.hosts()));
        assertEquals(List.of(Addresses.ipv4(apart.servers.get(1))),
            apart.serverOfSlots().values().stream().distinct().toList());
    }

    @Test
    void aDrainedServerKeepsItsSlotsUntilTheyAreIdle() {
        final var before = slots.serverOfSlots();
        slots.bed.engine.configure(slots.config(0, 1));
        slots.bed.run();
        slots.pass(Duration.ofSeconds(40));
        assertEquals(before, slots.serverOfSlots());
        slots.idle(Duration.ofSeconds(61));
        slots.idle(Duration.ofSeconds(61));
        assertEquals(List.of(Addresses.ipv4(slots.servers.get(1))),
            slots.serverOfSlots().values().stream().distinct().toList());
    }

    @Test
    void busySlotsLeaveADrainedServerWhenTheirTimeIsOver() {
        final var before = slots.serverOfSlots();
        slots.bed.engine.configure(slots.config(0, 1));
        slots.bed.run();
        slots.pass(DRAIN.minusSeconds(1));
        assertEquals(before, slots.serverOfSlots());
        slots.pass(Duration.ofSeconds(1));
        assertEquals(List.of(Addresses.ipv4(slots.servers.get(1))),
            slots.serverOfSlots().values().stream().distinct().toList());
        assertEquals(Optional.empty(), slots.bed.engine.flows().stream()
            .flatMap(flow -> slots.bed.engine.drainingSince(flow.record().id()).stream()).findFirst());
    }

    @Test
    void busySlotsStayAtADeletedServerForTheDrainTimeout() {
        final var before = slots.serverOfSlots();
        slots.bed.engine.configure(slots.withoutFirst(1));
        slots.bed.run();
        slots.pass(DRAIN.minusSeconds(1));
        assertEquals(before, slots.serverOfSlots());
        slots.pass(Duration.ofSeconds(1));
        assertEquals(List.of(Addresses.ipv4(slots.servers.get(1))),
            slots.serverOfSlots().values().stream().distinct().toList());
    }

    @Test
    void slotsOfDeletedAndDrainedServersGoWhenTheirTimeIsOverThoughNoServerIsLeft() {
        slots.bed.engine.configure(slots.withoutFirst(0));
        slots.bed.run();
        assertEquals(SLOTS, slots.serverOfSlots().size());
        slots.pass(DRAIN);
        assertEquals(Map.of(), slots.serverOfSlots());
    }

    @Test
    void aMeasuredSplitIsCorrectedOneEntryEachWayAndServersStay() {
        final var host = slots.clientHosts.getFirst();
        final var heavy = slots.clients().keySet().stream().filter(host.addresses()::contains).filter(client ->
            slots.uplink(host, client).equals(slots.uplink(host, 1).source())).collect(Collectors.groupingBy(client ->
                client.getAddress()[3] & SLOTS - 1)).values().stream().map(List::getFirst).toList();
        assertTrue(heavy.size() > 2, heavy::toString);
        final var servers = slots.serverOfSlots();
        for (int review = 0; review < 8; review++) {
            heavy.forEach(client -> slots.send(host, client, 50));
            slots.bed.clock.advance(Duration.ofSeconds(10));
            final var before = classifying();
            final int moved = slots.bed.await(slots.bed.engine.review(false));
            slots.bed.run();
            before.removeAll(classifying());
            assertEquals(2 * moved, before.size());
        }
        assertTrue(slots.bed.events.contains("moved SPLIT_CORRECTED"), slots.bed.events::toString);
        assertEquals(servers, slots.serverOfSlots());
        assertTrue(heavy.stream().map(client -> slots.uplink(host, client)).distinct().count() > 1);
        slots.clients().forEach((address, client) -> slots.assertServed(client, address));
        final var split = slots.bed.engine.slotSplits().stream().filter(one ->
            one.place().clientSwitch().equals(host.attachment().switchId())).findFirst().orElseThrow();
        assertEquals(1, split.parts().stream().mapToDouble(part -> part.measured().orElseThrow()).sum(), 1e-9);
        assertEquals(1, split.parts().stream().mapToDouble(SlotSplit.Part::wanted).sum(), 1e-9);
    }

    @Test
    void repliesFollowAHostThatMovesAndTwoThatChangePlaces() {
        final var all = slots.bed.shown;
        final var one = slots.clientHosts.get(0);
        final var two = slots.clientHosts.get(1);
        final var swapped = new SlotBed(Strategy.JOINT, 3, 1, List.of(new Host(one.mac(), one.addresses(),
            two.attachment()), new Host(two.mac(), two.addresses(), one.attachment())));
        final var moved = swapped.bed.whole;
        swapped.bed.shown = all;
        swapped.bed.records.putAll(slots.bed.records);
        swapped.bed.start(swapped.config(3, 1));
        swapped.bed.show(new FabricSnapshot(9, moved.switches(), moved.ports(), moved.links(), moved.hosts()));
        swapped.bed.await(swapped.bed.engine.review(false));
        swapped.clients().forEach((address, host) -> swapped.assertServed(host, address));
    }

    @Test
    void repliesFindTheClientsOfASwitchThatIsAway() {
        final var all = slots.bed.shown;
        final var away = slots.clientHosts.get(0);
        final var other = slots.clientHosts.get(1);
        final var attached = new HashSet<>(all.switches());
        attached.remove(away.attachment().switchId());
        final var addresses = new HashSet<>(other.addresses());
        addresses.add(Addresses.ip("10.1.1.100"));
        final var hosts = new ArrayList<>(all.hosts());
        hosts.set(hosts.indexOf(other), new Host(other.mac(), addresses, other.attachment()));
        slots.bed.show(new FabricSnapshot(2, attached, all.ports(), all.links(), hosts));
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
    }

    /** Patterns of addresses after the move: leaf 2 has 10.1.0.0/24, leaf 1 the rest, what leaf 2 had among it. */
    @Test
    void aSlotThatIsInTheWayMovesFirstAndNoneGivesWay() {
        final var all = slots.bed.shown;
        final var one = slots.clientHosts.get(0);
        final var two = slots.clientHosts.get(1);
        final var hosts = new ArrayList<>(all.hosts());
        hosts.set(hosts.indexOf(one), new Host(one.mac(), Stream.of(1, 2).flatMap(subnet ->
            SlotBed.addresses(subnet).stream()).collect(Collectors.toSet()), one.attachment()));
        hosts.set(hosts.indexOf(two), new Host(two.mac(), SlotBed.addresses(0), two.attachment()));
        final var before = slots.replyPatterns();
        slots.bed.show(new FabricSnapshot(2, all.switches(), all.ports(), all.links(), hosts));
        final var after = slots.replyPatterns();
        assertTrue(before.get(two.attachment().switchId()).stream()
            .allMatch(after.get(one.attachment().switchId())::contains), after::toString);
        assertTrue(slots.bed.events.stream().noneMatch(event -> event.startsWith("withdrawn")));
    }

    @Test
    void slotsTakeNoRoomAndCountAsNoRequests() {
        assertEquals(Map.of(), slots.bed.engine.flows().stream().filter(flow -> flow.limit().isPresent())
            .collect(Collectors.toMap(flow -> flow, flow -> flow)));
        final var host = slots.clientHosts.getFirst();
        final var connection = new Connection(FlowMatch.PROTOCOL_TCP, host.addresses().iterator().next(),
            Addresses.ipv4(slots.servers.getFirst()), 1000, PORT);
        slots.bed.connect(host, connection);
        final var made = slots.bed.engine.flows().stream().filter(flow -> !flow.record().key().isSlot()).findFirst()
            .orElseThrow().why().assignment().orElseThrow();
        assertEquals(0.0, made.candidate().load().counted());
        assertEquals(1, made.bottleneck().orElseThrow().flows());
    }

    @Test
    void aServiceWithoutSlotsLeavesNothingBehind() {
        slots.bed.engine.configure(slots.without());
        slots.bed.runUntil(slots.bed::isBare);
        slots.bed.engine.configure(slots.config(3, 1));
        slots.bed.run();
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
    }

    @Test
    void theNumberOfSlotsMayChange() {
        for (int number : new int[] {SLOTS / 2, SLOTS}) {
            slots.bed.engine.configure(slots.divided(number));
            slots.bed.run();
            slots.bed.runUntil(() -> slots.bed.engine.flows().size() == 2 * number);
            slots.clients().forEach((address, host) -> slots.assertServed(host, address));
            slots.bed.await(slots.bed.engine.review(false));
        }
    }

    @Test
    void theSlotsOfASwitchWithoutClientsGoWhenTheyAreIdle() {
        final var all = slots.bed.shown;
        final var gone = slots.clientHosts.getFirst();
        slots.bed.show(new FabricSnapshot(2, all.switches(), all.ports(), all.links(),
            all.hosts().stream().filter(host -> !host.equals(gone)).toList()));
        slots.bed.await(slots.bed.engine.review(false));
        assertEquals(2 * SLOTS, slots.bed.engine.flows().size());
        slots.idle(Duration.ofSeconds(61));
        assertEquals(SLOTS, slots.bed.engine.flows().size());
    }

    @Test
    void afterRandomCutsAndMovesAllClientsAreServed() {
        final long seed = System.nanoTime();
        try {
            cutAndMove(new Random(seed));
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private void cutAndMove(final Random random) {
        final var links = slots.bed.whole.links();
        for (int step = 0; step < 60; step++) {
            final var link = links.get(random.nextInt(links.size()));
            if (random.nextBoolean()) {
                slots.bed.cut(link);
            } else {
                slots.bed.restore(link);
            }
            if (random.nextInt(4) == 0) {
                slots.pass(Duration.ofSeconds(random.nextInt(40)));
            }
        }
        links.forEach(slots.bed::restore);
        slots.pass(Duration.ofSeconds(40));
        slots.clients().forEach((address, host) -> slots.assertServed(host, address));
        slots.bed.engine.configure(slots.without());
        slots.bed.runUntil(slots.bed::isBare);
        assertTrue(slots.bed.isBare());
    }

    /** The entries that slots have at the edges. */
    private Set<Installed> classifying() {
        return slots.bed.network.switches().stream().flatMap(target -> target.entries().stream())
            .filter(installed -> installed.entry() instanceof Entry.Flow flow && flow.tableId() == Pipeline.CLASSIFY
                && flow.match().source().isPresent()).collect(Collectors.toCollection(HashSet::new));
    }

    private static void assertShare(final double wanted, final long part, final int whole, final int slots) {
        final double share = (double) part / whole;
        assertTrue(Math.abs(share - wanted) < 1.0 / slots, () -> share + " instead of " + wanted);
    }
}
