// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import java.util.Optional;
import java.util.function.BooleanSupplier;

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

    private record Version(Order order, Plan plan) { }

    /** Has all chains that are planned from now on follow another guide. */
    public void guideBy(final Guide other) {
        guide = other;
        last = last.map(version -> new Version(version.order(), version.plan().guidedBy(other)));
    }

    /**
     * The plan of an order; the one before it is given up. Not to be changed: a copy may be.
     *
     * @return empty if it was stopped; then the plan is still that of before
     */
    public Optional<Plan> follow(final Order order, final BooleanSupplier isStopped) {
        if (last.filter(version -> version.order().equals(order)).isEmpty()) {
            final var next = last.filter(version -> version.order().problem().isLike(order.problem()))
                .map(version -> version.plan().on(order, isStopped).plan())
                .orElseGet(() -> Plan.of(order, guide, isStopped));
            if (isStopped.getAsBoolean()) {
                return Optional.empty();
            }
            last = Optional.of(new Version(order, next));
        }
        return last.map(Version::plan);
    }
}
