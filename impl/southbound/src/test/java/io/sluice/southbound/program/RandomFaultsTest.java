// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static io.sluice.southbound.program.Bed.ONE;
import static io.sluice.southbound.program.Bed.OWNER;
import static io.sluice.southbound.program.Bed.TWO;
import static io.sluice.southbound.program.Bed.flow;
import static io.sluice.southbound.program.Bed.group;
import static io.sluice.southbound.program.Bed.meter;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.SwitchId;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.Installed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RandomFaultsTest {
    private static final int FAULTS = 1000;
    private static final int OBJECTS = 8;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Bed bed = new Bed();
    private final Map<Long, List<Entry>> declared = new HashMap<>();

    @Test
    void findsAndRepairsEveryFault() {
        bed.await(bed.attach(ONE));
        bed.claim.restored();
        for (long object = 0; object < OBJECTS; object++) {
            declare(object);
        }
        final var target = bed.switches.get(ONE);
        for (int fault = 0; fault < FAULTS; fault++) {
            meddle(target, fault);
            final var held = bed.held(ONE);
            final var foreign = bed.foreign(ONE);
            assertEquals(differing(held), Set.copyOf(bed.validate(ONE).differences().stream()
                .map(Comparison.Difference::key).toList()), () -> "seed " + seed);
            assertEquals(held, bed.held(ONE), () -> "seed " + seed);
            bed.sync(ONE);
            assertEquals(wanted(), mine(bed.held(ONE)), () -> "seed " + seed);
            assertEquals(foreign, bed.foreign(ONE), () -> "seed " + seed);
        }
    }

    @Test
    void endsWithWhatIsDeclaredWhateverHappensInBetween() {
        final Set<SwitchId> attached = new HashSet<>();
        bed.claim.restored();
        for (int round = 0; round < 200; round++) {
            for (int step = 0; step < 60; step++) {
                final var id = random.nextBoolean() ? ONE : TWO;
                switch (random.nextInt(13)) {
                    case 0, 1 -> change(random.nextInt(OBJECTS));
                    case 2 -> {
                        if (attached.remove(id)) {
                            bed.detach(id);
                        }
                    }
                    case 3 -> {
                        if (attached.add(id)) {
                            bed.attach(id);
                        }
                    }
                    case 4 -> {
                        if (attached.contains(id)) {
                            bed.sessions.get(id).dieAfter(random.nextInt(4));
                            bed.programmer.detached(id);
                            attached.remove(id);
                        }
                    }
                    case 12 -> Optional.ofNullable(bed.sessions.get(id)).ifPresent(FakeSession::loseAnswer);
                    case 5 -> bed.programmer.sync(Optional.empty());
                    case 6, 7, 8 -> bed.answers.step();
                    default -> bed.loop.step();
                }
            }
            for (var id : List.of(ONE, TWO)) {
                if (attached.add(id) || random.nextBoolean()) {
                    bed.detach(id);
                    bed.attach(id);
                }
            }
            bed.programmer.sync(Optional.empty());
            bed.run();
            assertEquals(wanted(), mine(bed.held(ONE)), () -> "seed " + seed);
            assertEquals(wanted(), mine(bed.held(TWO)), () -> "seed " + seed);
        }
    }

    /** Declares an object on the first switch and waits. */
    private void declare(final long object) {
        declared.put(object, entries(object));
        bed.await(bed.claim.declare(object, Map.of(ONE, declared.get(object))));
    }

    /** Declares or withdraws an object on both switches. */
    private void change(final long object) {
        if (random.nextInt(3) == 0) {
            declared.remove(object);
            bed.claim.withdraw(object);
        } else {
            declared.put(object, entries(object));
            bed.claim.declare(object, Map.of(ONE, declared.get(object), TWO, declared.get(object)));
        }
    }

    /** Some flows of the object's own, with a group and a meter now and then. */
    private List<Entry> entries(final long object) {
        final var entries = new ArrayList<Entry>();
        final int number = (int) object;
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            entries.add(flow(100 * number + i, new Action.Output(1 + random.nextInt(2))));
        }
        if (random.nextBoolean()) {
            entries.add(group(number, 1 + random.nextInt(2)));
            entries.add(meter(number, 1 + random.nextInt(9)));
            entries.add(flow(100 * number + 50, new Action.ToGroup(OWNER.groupId(number)))
                .meteredBy(OWNER.meterNumber(number)));
        }
        return entries;
    }

    /** Does one thing to the switch behind the programmer's back. */
    private void meddle(final FakeSwitch target, final int fault) {
        final var held = new ArrayList<>(mine(bed.held(ONE)));
        final var victim = held.get(random.nextInt(held.size())).entry();
        switch (random.nextInt(6)) {
            case 0 -> target.remove(victim);
            case 1 -> change(target, victim, fault);
            case 2 -> target.add(flow(10_000 + fault), OWNER.cookie(random.nextInt(2 * OBJECTS)));
            case 3 -> target.add(group(1000 + fault, 1), 0);
            case 4 -> target.add(meter(1000 + fault, 5), 0);
            default -> target.add(new Flow(3, fault, FlowMatch.ANY, List.of()), 0x77);
        }
    }

    private static void change(final FakeSwitch target, final Entry victim, final int fault) {
        switch (victim) {
            case Flow flow -> target.add(flow(flow.priority(), new Action.OutputToController()),
                OWNER.cookie(OBJECTS + fault));
            case Entry.FailoverGroup group -> target.modify(new Entry.FailoverGroup(group.groupId(), List.of()));
            case Entry.Meter meter -> target.modify(new Entry.Meter(meter.number(), meter.unit(), 100 + fault, 1));
        }
    }

    /** What is declared, as a switch that has all of it holds it. */
    private Set<Installed> wanted() {
        return declared.entrySet().stream().flatMap(object -> object.getValue().stream()
            .map(entry -> Bed.mine(entry, object.getKey()))).collect(Collectors.toSet());
    }

    private Set<EntryKey> differing(final Set<Installed> held) {
        final var different = new HashSet<>(wanted());
        different.addAll(mine(held));
        different.removeIf(entry -> held.contains(entry) && wanted().contains(entry));
        return different.stream().map(entry -> EntryKey.of(entry.entry())).collect(Collectors.toSet());
    }

    private static Set<Installed> mine(final Set<Installed> held) {
        return held.stream().filter(FakeSession::isOwned).collect(Collectors.toSet());
    }
}
