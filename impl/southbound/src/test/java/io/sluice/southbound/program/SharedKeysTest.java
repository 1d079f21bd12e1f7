// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static io.sluice.southbound.program.Bed.ONE;
import static io.sluice.southbound.program.Bed.OTHER;
import static io.sluice.southbound.program.Bed.OWNER;
import static io.sluice.southbound.program.Bed.TWO;
import static io.sluice.southbound.program.Bed.flow;
import static io.sluice.southbound.program.Bed.group;
import static io.sluice.southbound.program.Bed.meter;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Installation;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Installed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Objects that declare the same keys, checked against a map of sets. */
class SharedKeysTest {
    private static final int OBJECTS = 3;
    private static final int KEYS = 4;
    private static final int ROUNDS = 400;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Bed bed = new Bed();
    private final Claim other = bed.programmer.claim(OTHER);
    private final Map<Author, List<Entry>> declared = new HashMap<>();

    private record Author(Owner owner, long object) { }

    @Test
    void theNextObjectTakesOverWithoutAGapWhenTheHolderGivesTheKeyUp() {
        bed.attachBoth();
        final var old = flow(10, new Action.Output(1));
        final var fresh = flow(10, new Action.Output(2));
        bed.await(bed.claim.declare(1, Map.of(ONE, List.of(old))));
        final var pending = assertInstanceOf(Installation.Pending.class,
            bed.await(other.declare(2, Map.of(ONE, List.of(fresh)))));
        assertEquals("table 0, priority 10, " + old.match() + ": object 1 of owner 2 declares it; "
            + "it is installed when that object gives it up", pending.reasons().get(ONE));
        bed.log.clear();
        bed.await(bed.claim.withdraw(1));
        assertEquals(Set.of(new Installed(fresh, OTHER.cookie(2))), bed.held(ONE));
        assertEquals(List.of(Change.Kind.REPLACE), bed.log.stream().map(Change::kind).toList());
    }

    @Test
    void anObjectThatWaitsInVainLeavesTheHolderAlone() {
        bed.attachBoth();
        final var entry = flow(10, new Action.Output(1));
        bed.await(bed.claim.declare(1, Map.of(ONE, List.of(entry))));
        bed.await(bed.claim.declare(2, Map.of(ONE, List.of(entry))));
        bed.await(bed.claim.withdraw(2));
        assertEquals(Set.of(Bed.mine(entry, 1)), bed.held(ONE));
        assertEquals(List.of(), bed.validate(ONE).differences());
    }

    @Test
    void aClosedClaimLeavesItsKeysToTheNextOwner() {
        bed.attachBoth();
        final var entry = flow(10, new Action.Output(1));
        bed.await(bed.claim.declare(1, Map.of(ONE, List.of(entry))));
        bed.await(other.declare(2, Map.of(ONE, List.of(entry))));
        bed.claim.close();
        bed.run();
        assertEquals(Set.of(new Installed(entry, OTHER.cookie(2))), bed.held(ONE));
    }

    @Test
    void switchesHoldEachKeyThatAnyObjectDeclaresWhateverTheOrder() {
        bed.attachBoth();
        bed.claim.restored();
        other.restored();
        for (int round = 0; round < ROUNDS; round++) {
            for (int step = 0; step < 30; step++) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> change();
                    case 2 -> reconnect(random.nextBoolean() ? ONE : TWO);
                    case 3, 4 -> bed.answers.step();
                    default -> bed.loop.step();
                }
            }
            bed.run();
            check(ONE);
            check(TWO);
        }
    }

    private void reconnect(final SwitchId switchId) {
        if (random.nextInt(10) == 0) {
            bed.detach(switchId);
            bed.attach(switchId);
        }
    }

    private void change() {
        final var author = new Author(random.nextBoolean() ? OWNER : OTHER, 1 + random.nextInt(OBJECTS));
        final var claim = author.owner() == OWNER ? bed.claim : other;
        if (random.nextInt(3) == 0) {
            declared.remove(author);
            claim.withdraw(author.object());
        } else {
            final var entries = entries(author);
            declared.put(author, entries);
            claim.declare(author.object(), Map.of(ONE, entries, TWO, entries));
        }
    }

    /** Flows of any object; the ids of groups and meters name the first owner, which alone declares them. */
    private List<Entry> entries(final Author author) {
        final var entries = new ArrayList<Entry>();
        for (int key = 0; key < KEYS; key++) {
            if (random.nextBoolean()) {
                entries.add(flow(key, new Action.Output(1 + random.nextInt(2))));
            }
            if (author.owner() == OWNER && random.nextBoolean()) {
                entries.add(group(key, 1 + random.nextInt(2)));
            }
            if (author.owner() == OWNER && random.nextBoolean()) {
                entries.add(meter(key, 1 + random.nextInt(3)));
            }
        }
        return entries;
    }

    private void check(final SwitchId switchId) {
        final var candidates = new HashMap<EntryKey, Set<Installed>>();
        declared.forEach((author, entries) -> entries.forEach(entry -> candidates.merge(EntryKey.of(entry),
            Set.of(new Installed(entry, entry instanceof Entry.Flow ? author.owner().cookie(author.object()) : 0)),
            (some, more) -> Stream.concat(some.stream(), more.stream()).collect(Collectors.toSet()))));
        final var held = bed.held(switchId);
        assertEquals(candidates.keySet(), held.stream().map(one -> EntryKey.of(one.entry())).collect(
            Collectors.toSet()), () -> "seed " + seed);
        held.forEach(one -> assertTrue(candidates.get(EntryKey.of(one.entry())).contains(one),
            () -> "seed " + seed + ": " + one));
        assertEquals(List.of(), bed.validate(switchId).differences(), () -> "seed " + seed);
    }
}
