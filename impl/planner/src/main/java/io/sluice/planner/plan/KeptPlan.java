// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Problem;
import java.util.List;
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

    private record Version(Problem ordered, Plan plan) { }

    /**
     * The plan of a problem; the one before it is given up. Not to be changed: a copy may be.
     *
     * @param risks when one of their links has no room left, chains that move avoid the others where they can
     * @return empty if it was stopped; then the plan is still that of before
     */
    public Optional<Plan> follow(final Problem problem, final Risks risks, final BooleanSupplier isStopped) {
        if (last.filter(version -> version.ordered().equals(problem)).isEmpty()) {
            final var next = last.filter(version -> isAlike(version.ordered(), problem)).map(version ->
                version.plan().on(problem, risks.suspects(down(problem)), isStopped).plan())
                .orElseGet(() -> Plan.of(problem, isStopped));
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

    /** Whether equal numbers mean the same node, link, site, VNF and deployment in both. */
    private static boolean isAlike(final Problem one, final Problem other) {
        return one.network().nodes().equals(other.network().nodes())
            && ends(one).equals(ends(other)) && places(one).equals(places(other)) && vnfs(one).equals(vnfs(other));
    }

    private static List<List<Integer>> ends(final Problem problem) {
        return problem.network().links().stream().map(link -> List.of(link.from(), link.to())).toList();
    }

    private static List<Integer> places(final Problem problem) {
        return problem.sites().stream().map(site -> site.node()).toList();
    }

    private static List<List<Object>> vnfs(final Problem problem) {
        return problem.vnfs().stream().map(vnf -> List.<Object>of(vnf.name(),
            vnf.deployments().stream().map(Deployment::site).toList())).toList();
    }
}
