// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.planner.RandomProblems;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AssessmentTest {
    private static final int PROBLEMS = RandomProblems.number(20);
    private static final Risks RISKS = new Risks(List.of(Set.of(0, 1), Set.of(2), Set.of(0, 3)));
    private static final List<Integer> ALL = List.of(0, 1, 2);

    @Test
    void eachRiskIsAFailureOfAllOfItsLinks() {
        for (long seed = 0; seed < PROBLEMS; seed++) {
            final var plan = PlanTest.filled(RandomProblems.of(seed));
            final var before = plan.figures();
            final var expected = new ArrayList<Assessment>();
            for (final var group : RISKS.groups()) {
                final var failed = plan.on(new Change.LinksDown(group).applyTo(plan.problem()), RISKS.suspects(group));
                expected.add(new Assessment(group, failed.plan().figures(), failed.moved().size(), failed.shortOf()));
            }
            assertEquals(expected, Assessment.of(plan, RISKS, ALL, () -> false), "seed " + seed);
            assertEquals(before, plan.figures(), "seed " + seed);
        }
    }

    @Test
    void onlyRisksThatAreAskedForAreAssessedInTheirOrder() {
        final var plan = PlanTest.filled(RandomProblems.of(1));
        final var all = Assessment.of(plan, RISKS, ALL, () -> false);
        assertEquals(List.of(all.get(2), all.get(1)), Assessment.of(plan, RISKS, List.of(2, 1), () -> false));
    }

    @Test
    void whatThereIsNoTimeForIsMissing() {
        final var plan = PlanTest.filled(RandomProblems.of(1));
        final var all = Assessment.of(plan, RISKS, ALL, () -> false);
        final var questions = new AtomicInteger();
        assertEquals(all, Assessment.of(plan, RISKS, ALL, () -> questions.incrementAndGet() < 0));
        final int asked = questions.get();
        assertEquals(all.subList(0, 2), Assessment.of(plan, RISKS, ALL, () -> questions.decrementAndGet() < 1));
        assertEquals(List.of(), Assessment.of(plan, RISKS, ALL, () -> asked > 0));
    }
}
