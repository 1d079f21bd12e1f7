// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.model.Problem;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The plan of all chains as somebody else orders them. It follows what is ordered: chains stay where they are unless
 * their own order, or what they use, has changed. For one thread at a time.
 *
 * <pre>
 *   NONE --follow--&gt; KEPT --same things, other capacities, traffic or chains--&gt; KEPT, few chains moved
 *                     \------ nodes, links, sites or deployments differ ------&gt; KEPT, all planned anew
 * </pre>
 */
public final class KeptPlan {
    private Optional<Version> last = Optional.empty();
    private Guide guide = Guide.NONE;

    private record Version(Problem ordered, Plan plan) { }

    /** Has all chains that are planned from now on follow another guide. */
    public void guideBy(final Guide other) {
        guide = other;
        last = last.map(version -> new Version(version.ordered(), version.plan().guidedBy(other)));
    }

    /**
     * The plan of a problem; the one before it is given up. Not to be changed: a copy may be.
     *
     * @param risks when one of their links has no room left, chains that move avoid the others where they can
     * @return empty if it was stopped; then the plan is still that of before
     */
    public Optional<Plan> follow(final Problem problem, final Risks risks, final BooleanSupplier isStopped) {
        if (last.filter(version -> version.ordered().equals(problem)).isEmpty()) {
            final var next = last.filter(version -> version.ordered().isLike(problem)).map(version ->
                version.plan().on(problem, risks.suspects(down(problem)), isStopped).plan())
                .orElseGet(() -> Plan.of(problem, guide, isStopped));
            if (isStopped.getAsBoolean()) {
                return Optional.empty();
            }
            last = Optional.of(new Version(problem, next));
        }
        return last.map(Version::plan);
    }

    private static Set<Integer> down(final Problem problem) {
        final var links = problem.network().links();
        return IntStream.range(0, links.size()).filter(link -> links.get(link).room().bitsPerSecond() == 0).boxed()
            .collect(Collectors.toSet());
    }
}
