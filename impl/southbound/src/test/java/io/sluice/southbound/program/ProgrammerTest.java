// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static io.sluice.southbound.program.Bed.ONE;
import static io.sluice.southbound.program.Bed.OTHER;
import static io.sluice.southbound.program.Bed.OWNER;
import static io.sluice.southbound.program.Bed.TWO;
import static io.sluice.southbound.program.Bed.flow;
import static io.sluice.southbound.program.Bed.group;
import static io.sluice.southbound.program.Bed.meter;
import static io.sluice.southbound.program.Bed.mine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.Installation;
import io.sluice.api.Installation.InPlace;
import io.sluice.api.Installation.Pending;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Ability;
import io.sluice.testlib.FakeSwitch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProgrammerTest {
    private static final Installation IN_PLACE = new InPlace();
    private static final Flow OUT_1 = flow(10, new Action.Output(1));
    private static final Flow OUT_2 = flow(10, new Action.Output(2));

    private final Bed bed = new Bed();

    @Test
    void addsOnAllSwitchesBeforeItRemovesOnAny() {
        bed.attachBoth();
        assertEquals(IN_PLACE, declare(1, flow(1), flow(2)));
        bed.log.clear();
        assertEquals(IN_PLACE, declare(1, flow(2), flow(3)));
        assertEquals(List.of("ADD 3", "ADD 3", "REMOVE 1", "REMOVE 1"), sent());
        bed.log.clear();
        assertEquals(IN_PLACE, bed.await(bed.claim.withdraw(1)));
        assertEquals(Set.of(), bed.held(ONE));
        assertEquals(Set.of(), bed.held(TWO));
    }

    @Test
    void whatASwitchSaysItCannotDoIsRefusedAndNotSent() {
        final var poor = new FakeSwitch(ONE, Set.of(1L, 2L), 2, Set.of(Ability.FAILOVER_GROUPS, Ability.METERS));
        bed.await(bed.programmer.attached(ONE, new FakeSession(poor, bed.answers, bed.log)));

        assertEquals("group " + OWNER.groupId(1) + ": the switch has no fast-failover groups", reason(group(1, 1)));
        assertEquals("meter 1 of owner 2: the switch has no meters", reason(meter(1, 1000)));
        assertEquals("table 0, priority 10, " + FlowMatch.ANY + ": the switch has 2 tables, none with number 2",
            reason(OUT_1.goingOnTo(2)));
        assertEquals(List.of(), sent());
        assertEquals(IN_PLACE, declareOn1(1, OUT_1));
    }

    @Test
    void tellsWhatEachSwitchCanDo() {
        final var told = new ArrayList<SwitchId>();
        bed.await(bed.attach(ONE));
        final var subscription = bed.programmer.onAttached((id, features) -> told.add(id));
        bed.await(bed.attach(TWO));
        assertEquals(List.of(ONE, TWO), told);
        subscription.close();
        bed.await(bed.attach(ONE));
        assertEquals(List.of(ONE, TWO), told);
    }

    @Test
    void putsMetersAndGroupsInBeforeTheFlowsThatUseThemAndOutAfter() {
        bed.await(bed.attach(ONE));
        final var user = flow(1, new Action.ToGroup(OWNER.groupId(1))).meteredBy(OWNER.meterNumber(1));
        assertEquals(IN_PLACE, bed.await(bed.claim.declare(1,
            Map.of(ONE, List.of(user, group(1, 1), meter(1, 1000))))));
        assertEquals(List.of("ADD meter 1 of owner 2", "ADD group " + OWNER.groupId(1), "ADD 1"), sent());
        bed.log.clear();
        bed.await(bed.claim.withdraw(1));
        assertEquals(List.of("REMOVE 1", "REMOVE group " + OWNER.groupId(1), "REMOVE meter 1 of owner 2"), sent());
    }

    @Test
    void replacesInOneMessageWhatKeepsItsKey() {
        bed.await(bed.attach(ONE));
        bed.await(bed.claim.declare(1, Map.of(ONE, List.of(OUT_1, group(1, 1), meter(1, 1000)))));
        bed.log.clear();
        assertEquals(IN_PLACE, bed.await(bed.claim.declare(1,
            Map.of(ONE, List.of(OUT_2, group(1, 2), meter(1, 2000))))));
        assertEquals(3, bed.log.size());
        assertEquals(Set.of(mine(OUT_2, 1), mine(group(1, 2), 1), mine(meter(1, 2000), 1)), bed.held(ONE));
    }

    @Test
    void sendsABurstInTwoBatches() {
        bed.await(bed.attach(ONE));
        for (int object = 1; object <= 100; object++) {
            bed.claim.declare(object, Map.of(ONE, List.of(flow(object))));
        }
        bed.run();
        assertEquals(100, bed.held(ONE).size());
        assertTrue(bed.sessions.get(ONE).batches() <= 2, () -> bed.sessions.get(ONE).batches() + " batches");
    }

    @Test
    void declarationsOfOneObjectTakeTurns() {
        bed.attachBoth();
        final var first = bed.claim.declare(1, Map.of(ONE, List.of(flow(1))));
        final var second = bed.claim.declare(1, Map.of(TWO, List.of(flow(2))));
        final var third = bed.claim.withdraw(1);
        final var last = bed.claim.declare(1, Map.of(ONE, List.of(flow(3))));
        for (var answer : List.of(first, second, third, last)) {
            assertEquals(IN_PLACE, bed.await(answer));
        }
        assertEquals(Set.of(mine(flow(3), 1)), bed.held(ONE));
        assertEquals(Set.of(), bed.held(TWO));
    }

    @Test
    void answersThatAnotherObjectHasTheEntry() {
        bed.await(bed.attach(ONE));
        for (var entry : List.of(OUT_1, group(1, 1), meter(1, 1000))) {
            declareOn1(1, entry);
            final var held = bed.held(ONE);
            final var refusal = assertInstanceOf(Pending.class, declareOn1(2, entry)).reasons().get(ONE);
            assertTrue(refusal.contains("object 1 of owner 2"), refusal);
            bed.await(bed.claim.withdraw(2));
            assertEquals(held, bed.held(ONE));
        }
    }

    @Test
    void answersWhatASwitchRefusesAndTriesAgainWhenItIsDeclaredAgain() {
        bed.await(bed.attach(ONE));
        bed.sessions.get(ONE).refuse(change -> true);
        final var refusal = assertInstanceOf(Pending.class, declareOn1(1, OUT_1)).reasons().get(ONE);
        assertTrue(refusal.contains("table full"), refusal);
        final var sync = assertInstanceOf(Programmer.Outcome.Compared.class,
            bed.await(bed.programmer.sync(Optional.empty())).get(ONE));
        assertEquals(1, sync.comparison().differences().size());
        assertEquals(1, sync.refused().size());
        assertEquals(0, sync.mended());
        bed.sessions.get(ONE).refuse(change -> false);
        assertEquals(IN_PLACE, declareOn1(1, OUT_1));
        assertEquals(Set.of(mine(OUT_1, 1)), bed.held(ONE));
    }

    @Test
    void attachesASwitchThatRefusesAnEntry() {
        declareOn1(1, OUT_1, flow(11, new Action.Output(99)));
        assertEquals(2, bed.await(bed.attach(ONE)).differences().size());
        assertEquals(Set.of(mine(OUT_1, 1)), bed.held(ONE));
    }

    @Test
    void parksWhatIsForASwitchThatIsAwayUntilItAttaches() {
        bed.await(bed.attach(ONE));
        assertEquals(Set.of(TWO), assertInstanceOf(Pending.class, declare(1, OUT_1)).reasons().keySet());
        assertEquals(Set.of(mine(OUT_1, 1)), bed.held(ONE));
        bed.await(bed.attach(TWO));
        assertEquals(Set.of(mine(OUT_1, 1)), bed.held(TWO));
        bed.detach(TWO);
        assertInstanceOf(Pending.class, bed.await(bed.claim.withdraw(1)));
        bed.await(bed.attach(TWO));
        assertEquals(Set.of(), bed.held(TWO));
    }

    @Test
    void answersEverybodyWhenASessionDiesAndGoesOnWithTheNextOne() {
        bed.await(bed.attach(ONE));
        bed.sessions.get(ONE).dieAfter(1);
        final var first = bed.claim.declare(1, Map.of(ONE, List.of(flow(1), flow(2), flow(3))));
        while (bed.loop.step()) {
            assertFalse(first.toCompletableFuture().isDone());
        }
        final var second = bed.claim.declare(2, Map.of(ONE, List.of(flow(4))));
        final var audit = bed.programmer.sync(Optional.of(ONE));
        assertInstanceOf(Pending.class, bed.await(first));
        assertInstanceOf(Pending.class, bed.await(second));
        assertInstanceOf(Programmer.Outcome.Failed.class, bed.await(audit).get(ONE));
        bed.await(bed.attach(ONE));
        assertEquals(4, bed.held(ONE).size());
    }

    @Test
    void takesANewSessionWhileTheOldOneHasNotAnswered() {
        bed.await(bed.attach(ONE));
        final var declared = bed.claim.declare(1, Map.of(ONE, List.of(flow(1), flow(2))));
        while (bed.loop.step()) {
            assertFalse(declared.toCompletableFuture().isDone());
        }
        bed.detach(ONE);
        final var attached = bed.attach(ONE);
        bed.await(attached);
        assertInstanceOf(Pending.class, bed.await(declared));
        assertEquals(2, bed.held(ONE).size());
        assertEquals(IN_PLACE, declareOn1(2, flow(3)));
    }

    @Test
    void answersEverybodyWhenASwitchLeavesWithoutAWord() {
        bed.attachBoth();
        bed.sessions.values().forEach(FakeSession::fallSilent);
        final var declared = bed.claim.declare(1, Map.of(ONE, List.of(flow(1))));
        final var read = bed.programmer.validate(Optional.of(TWO));
        bed.run();
        assertFalse(declared.toCompletableFuture().isDone());
        assertFalse(read.toCompletableFuture().isDone());
        bed.detach(ONE);
        bed.detach(TWO);
        assertInstanceOf(Pending.class, bed.await(declared));
        assertInstanceOf(Programmer.Outcome.Failed.class, bed.await(read).get(TWO));
        bed.await(bed.attach(ONE));
        assertEquals(Set.of(mine(flow(1), 1)), bed.held(ONE));
        assertEquals(IN_PLACE, declareOn1(2, flow(2)));
    }

    @Test
    void adoptsWhatIsRightAfterARestartAndRemovesTheRestWhenAllIsDeclared() {
        bed.attachBoth();
        declare(1, OUT_1, group(1, 1), meter(1, 1000));
        declare(2, flow(20));
        bed.restart();
        final long before = bed.changes();
        final var attached = bed.attach(ONE);
        assertEquals(0, bed.await(attached).differences().size());
        assertInstanceOf(Pending.class, declare(1, OUT_1, group(1, 1), meter(1, 1000)));
        bed.await(bed.attach(TWO));
        assertEquals(before, bed.changes());
        assertEquals(List.of(), bed.log);
        bed.claim.restored();
        bed.run();
        assertEquals(List.of("REMOVE 20", "REMOVE 20"), sent());
    }

    @Test
    void leavesOtherOwnersAndForeignEntriesAlone() {
        final var theirs = new Flow(1, 7, FlowMatch.ANY, List.of());
        final var foreign = new Flow(2, 7, FlowMatch.ANY, List.of());
        bed.switches.get(ONE).add(theirs, OTHER.cookie(9));
        bed.switches.get(ONE).add(foreign, 0x1234);
        bed.switches.get(ONE).add(new Entry.Meter(5, Entry.MeterUnit.PACKETS, 1, 1), 0);
        final var before = bed.held(ONE);
        bed.await(bed.attach(ONE));
        bed.claim.restored();
        declareOn1(1, OUT_1);
        bed.await(bed.claim.withdraw(1));
        assertEquals(0, bed.sync(ONE).differences().size());
        assertEquals(2, bed.validate(ONE).foreign());
        assertEquals(before, bed.held(ONE));
    }

    @Test
    void validationTellsWhatDiffersAndChangesNothing() {
        bed.await(bed.attach(ONE));
        bed.claim.restored();
        declareOn1(1, flow(1), flow(2), flow(3));
        final var target = bed.switches.get(ONE);
        target.remove(flow(1));
        target.add(flow(2, new Action.Output(1)), OWNER.cookie(1));
        target.add(flow(4), OWNER.cookie(8));
        final var held = bed.held(ONE);
        final var comparison = bed.validate(ONE);
        assertEquals(Set.of("1 MISSING", "2 CHANGED", "4 STALE"), Set.copyOf(comparison.differences().stream()
            .map(difference -> name(difference.key()) + " " + difference.kind()).toList()));
        assertEquals(1, comparison.agreed());
        assertEquals(held, bed.held(ONE));
        bed.sync(ONE);
        assertEquals(Set.of(mine(flow(1), 1), mine(flow(2), 1), mine(flow(3), 1)), bed.held(ONE));
    }

    @Test
    void anEntryThatCannotBeReadIsKeptAndNotAddedAgain() {
        bed.await(bed.attach(ONE));
        bed.claim.restored();
        declareOn1(1, group(1, 1));
        bed.sessions.get(ONE).hide(Entry.FailoverGroup.class::isInstance);
        bed.log.clear();
        final var comparison = bed.sync(ONE);
        assertEquals(List.of(), comparison.differences());
        assertEquals(1, comparison.unread());
        assertEquals(List.of(), sent());

        assertEquals(IN_PLACE, declareOn1(1, group(1, 2)));
        assertEquals(Set.of(mine(group(1, 2), 1)), bed.held(ONE));
        bed.sync(ONE);
        bed.await(bed.claim.withdraw(1));
        assertEquals(Set.of(), bed.held(ONE));
    }

    @Test
    void doesNotTakeADeclarationThatIsUnderWayForDrift() {
        bed.await(bed.attach(ONE));
        bed.claim.declare(1, Map.of(ONE, List.of(flow(1))));
        bed.loop.step();
        final var before = bed.programmer.validate(Optional.empty());
        bed.claim.declare(2, Map.of(ONE, List.of(flow(2))));
        final var after = bed.programmer.sync(Optional.empty());
        for (var outcomes : List.of(bed.await(before), bed.await(after))) {
            assertEquals(List.of(), assertInstanceOf(Programmer.Outcome.Compared.class, outcomes.get(ONE))
                .comparison().differences());
        }
        assertEquals(2, bed.held(ONE).size());
    }

    @Test
    void aClosedClaimLeavesItsEntriesAndMakesRoomForANewOne() {
        bed.await(bed.attach(ONE));
        declareOn1(1, OUT_1);
        assertThrows(IllegalStateException.class, () -> bed.programmer.claim(OWNER));
        bed.claim.close();
        bed.claim = bed.programmer.claim(OWNER);
        bed.sync(ONE);
        assertEquals(Set.of(mine(OUT_1, 1)), bed.held(ONE));
        assertEquals(IN_PLACE, declareOn1(2, OUT_1));
        assertEquals(Set.of(mine(OUT_1, 2)), bed.held(ONE));
    }

    @Test
    void aClosedClaimTakesNothingFromItsSuccessor() {
        bed.await(bed.attach(ONE));
        declareOn1(1, flow(1));
        final var closed = bed.claim;
        closed.declare(1, Map.of(ONE, List.of(flow(2))));
        while (bed.loop.step()) {
            assertEquals(Set.of(mine(flow(1), 1)), bed.held(ONE), "before the switch has answered");
        }
        closed.close();
        bed.claim = bed.programmer.claim(OWNER);
        assertEquals(IN_PLACE, declareOn1(1, flow(1)));
        bed.claim.restored();
        bed.run();

        assertEquals(Set.of(mine(flow(1), 1)), bed.held(ONE));
        assertEquals(new Pending(Map.of(ONE, "the claim of multipath is closed")),
            bed.await(closed.declare(1, Map.of(ONE, List.of(flow(3))))));
        assertEquals(Set.of(mine(flow(1), 1)), bed.held(ONE));
    }

    @Test
    void forgetsASwitchThatIsAwayWithTheEntriesOfOneOwnerOnly() {
        bed.attachBoth();
        declareOn1(1, OUT_1);
        assertEquals(Optional.of("openflow:1 is attached"), bed.await(bed.programmer.forget(ONE, OWNER)));
        bed.detach(ONE);
        assertEquals(Optional.of("entries on openflow:1 are declared by multipath"),
            bed.await(bed.programmer.forget(ONE, OTHER)));
        assertEquals(Optional.empty(), bed.await(bed.programmer.forget(ONE, OWNER)));
        assertEquals(Optional.of("no such switch has attached"), bed.await(bed.programmer.forget(ONE, OWNER)));
        bed.claim.restored();
        bed.await(bed.claim.withdraw(1));
        assertEquals(List.of("0 STALE"), bed.await(bed.attach(ONE)).differences().stream()
            .map(difference -> ((EntryKey.FlowKey) difference.key()).tableId() + " " + difference.kind()).toList());
        assertEquals(Set.of(), bed.held(ONE));
    }

    @Test
    void saysThatAnUnknownSwitchHasNotAttached() {
        assertInstanceOf(Programmer.Outcome.Failed.class, bed.await(bed.programmer.sync(Optional.of(TWO))).get(TWO));
    }

    private Installation declare(final long object, final Entry... entries) {
        return bed.await(bed.claim.declare(object, Map.of(ONE, List.of(entries), TWO, List.of(entries))));
    }

    private Installation declareOn1(final long object, final Entry... entries) {
        return bed.await(bed.claim.declare(object, Map.of(ONE, List.of(entries))));
    }

    private List<String> sent() {
        return bed.log.stream().map(change -> change.kind() + " " + name(change.key())).toList();
    }

    private static String name(final EntryKey key) {
        return key instanceof EntryKey.FlowKey flow ? Integer.toString(flow.priority()) : key.toString();
    }

    private String reason(final Entry entry) {
        return assertInstanceOf(Pending.class, declareOn1(1, entry)).reasons().get(ONE);
    }
}
