// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What would become of a plan if all links of a risk failed.
 *
 * @param links that fail
 * @param figures of the plan then
 * @param moved how many chains would have other routes
 * @param shortOf chains that would not get all of their traffic carried, with the reason
 */
public record Assessment(Set<Integer> links, Figures figures, int moved, Map<String, Admission> shortOf) {
    public Assessment {
        links = Set.copyOf(links);
        shortOf = Map.copyOf(shortOf);
    }

    /**
     * Assesses one risk after the other; those that there is no time for are missing at the end.
     *
     * @param risks all of them, which chains that move avoid where they can
     * @param numbers of those to assess, in this order
     */
    public static List<Assessment> of(final Plan plan, final Risks risks, final List<Integer> numbers,
            final BooleanSupplier isStopped) {
        final var assessments = new ArrayList<Assessment>();
        for (final int number : numbers) {
            final var group = risks.groups().get(number);
            final var failed = plan.on(
                plan.order(risks).on(new Change.LinksDown(group).applyTo(plan.problem())), isStopped);
            if (isStopped.getAsBoolean()) {
                break;
            }
            assessments.add(new Assessment(group, failed.plan().figures(), failed.moved().size(), failed.shortOf()));
        }
        return assessments;
    }
}
