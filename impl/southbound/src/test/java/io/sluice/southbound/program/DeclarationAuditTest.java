// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static io.sluice.southbound.program.Bed.ONE;
import static io.sluice.southbound.program.Bed.flow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Action;
import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Comparison.Difference;
import io.sluice.southbound.program.Comparison.Kind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeclarationAuditTest {
    private static final Entry.Flow FIRST = flow(1, new Action.Output(1));
    private static final Entry.Flow SECOND = flow(2, new Action.Output(1));

    private final Bed bed = new Bed();
    /** What the application knows to be needed, by object. */
    private final Map<Long, List<Entry>> needed = new HashMap<>();
    private final Set<Long> changing = new HashSet<>();
    private Runnable asked = () -> { };

    @BeforeEach
    void anApplicationWithKnowledge() {
        bed.attachBoth();
        bed.claim.restored();
        bed.claim.compareWith(new Claim.Knowledge() {
            @Override
            public CompletionStage<Claim.Needs> needs() {
                asked.run();
                return CompletableFuture.supplyAsync(() -> new Claim.Needs(entries(), changing), bed.answers);
            }

            @Override
            public CompletionStage<?> declareAgain(final Set<Long> objects) {
                return CompletableFuture.allOf(objects.stream().map(object -> bed.claim.declare(object,
                    entries().getOrDefault(object, Map.of())).toCompletableFuture())
                    .toArray(CompletableFuture[]::new));
            }
        });
        bed.run();
    }

    @Test
    void whatIsNeededAndNotDeclaredIsFoundAndMended() {
        declare(1, FIRST);
        needed.put(1L, List.of(FIRST, SECOND));
        assertEquals(List.of(new Difference(EntryKey.of(SECOND), Kind.UNDECLARED)), differences());
        assertEquals(Set.of(Bed.mine(FIRST, 1)), bed.held(ONE), "validate changes nothing");
        assertEquals(List.of(new Difference(EntryKey.of(SECOND), Kind.UNDECLARED)), bed.sync(ONE).differences());
        assertEquals(Set.of(Bed.mine(FIRST, 1), Bed.mine(SECOND, 1)), bed.held(ONE));
        assertEquals(List.of(), differences());
    }

    @Test
    void whatIsDeclaredAndNotNeededIsFoundAndMended() {
        declare(1, FIRST);
        declare(2, SECOND);
        needed.put(1L, List.of(FIRST));
        assertEquals(List.of(new Difference(EntryKey.of(SECOND), Kind.UNNEEDED)), differences());
        bed.sync(ONE);
        assertEquals(Set.of(Bed.mine(FIRST, 1)), bed.held(ONE));
    }

    @Test
    void anEntryOfOtherContentsIsNotTheOneThatIsNeeded() {
        declare(1, FIRST);
        final var other = flow(1, new Action.Output(2));
        needed.put(1L, List.of(other));
        bed.sync(ONE);
        assertEquals(Set.of(Bed.mine(other, 1)), bed.held(ONE));
    }

    @Test
    void anEntryThatWaitsForItsKeyIsDeclared() {
        declare(1, FIRST);
        declare(2, FIRST);
        needed.put(1L, List.of(FIRST));
        needed.put(2L, List.of(FIRST));
        assertEquals(List.of(), differences());
    }

    @Test
    void whatIsChangingIsLeftOut() {
        declare(1, FIRST);
        changing.add(1L);
        assertEquals(List.of(), differences());
    }

    @Test
    void whatTheApplicationHasMendedMeanwhileIsNoDifference() {
        needed.put(1L, List.of(FIRST));
        asked = () -> {
            asked = () -> { };
            bed.answers.execute(() -> bed.claim.declare(1, entries().get(1L)));
        };
        assertEquals(List.of(), differences());
    }

    @Test
    void anApplicationThatFailsToAnswerKeepsNobodyFromBeingCompared() {
        declare(1, FIRST);
        asked = () -> {
            throw new IllegalStateException("closed");
        };
        bed.switches.get(ONE).remove(FIRST);
        assertEquals(List.of(new Difference(EntryKey.of(FIRST), Kind.MISSING)), differences());
    }

    private void declare(final long object, final Entry entry) {
        bed.await(bed.claim.declare(object, Map.of(ONE, List.of(entry))));
    }

    private List<Difference> differences() {
        return bed.validate(ONE).differences();
    }

    private Map<Long, Map<SwitchId, List<Entry>>> entries() {
        final var entries = new HashMap<Long, Map<SwitchId, List<Entry>>>();
        needed.forEach((object, list) -> entries.put(object, Map.of(ONE, list)));
        return entries;
    }
}
