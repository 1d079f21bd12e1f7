// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The plan of all chains as somebody else orders them. It follows what is ordered: chains stay where they are unless
 * their own order, or what they use, has changed. For one thread at a time.
 *
 * <pre>
 *   NONE --follow--&gt; KEPT --only chains differ--&gt; KEPT, these chains changed
 *                     |--- same things, other capacities ------------&gt; KEPT, few chains moved
 *                     \--- nodes, links, sites or deployments differ --&gt; KEPT, all planned anew
 * </pre>
 */
public final class KeptPlan {
    private Optional<Version> last = Optional.empty();
    private Guide guide = Guide.NONE;
    private boolean isTuned;

    private record Version(Order order, Plan plan) { }

    /** Has all chains that are planned from now on follow another guide, tuned to the chains that there are. */
    public void guideBy(final Guide other) {
        guide = other;
        isTuned = false;
    }

    /**
     * The plan of an order; the one before it is given up, or becomes it. Chains in it may be moved; for other changes
     * there are copies.
     *
     * @return empty if it was stopped; then the plan is on the way, and goes on the next time, or still that of before
     *     if nothing but capacities, delays or risks differ
     */
    public Optional<Plan> follow(final Order order, final BooleanSupplier isStopped) {
        if (last.isPresent() && !isTuned) {
            tune(order, isStopped);
            last = last.map(version -> new Version(version.order(), version.plan().guidedBy(guide)));
        }
        if (last.filter(version -> version.order().equals(order)).isPresent()) {
            return last.map(Version::plan);
        }
        return last.filter(version -> version.order().differsInChains(order)).isPresent()
            ? succeed(order, isStopped) : plan(order, isStopped);
    }

    /** Where only chains differ, they change one by one; what is left after a stop differs the next time too. */
    private Optional<Plan> succeed(final Order order, final BooleanSupplier isStopped) {
        final var plan = last.orElseThrow().plan();
        boolean isDone = false;
        try {
            new Succession(plan, order, isStopped).run();
            isDone = !isStopped.getAsBoolean();
        } finally {
            last = Optional.of(new Version(isDone ? order : plan.order(order.risks()), plan));
        }
        return isDone ? last.map(Version::plan) : Optional.empty();
    }

    private Optional<Plan> plan(final Order order, final BooleanSupplier isStopped) {
        return last.filter(version -> version.order().problem().isLike(order.problem())).isPresent()
            ? adapt(order, isStopped) : begin(order, isStopped);
    }

    private Optional<Plan> adapt(final Order order, final BooleanSupplier isStopped) {
        final var next = last.orElseThrow().plan().on(order, isStopped).plan();
        if (isStopped.getAsBoolean()) {
            return Optional.empty();
        }
        last = Optional.of(new Version(order, next));
        return Optional.of(next);
    }

    /** Where numbers mean something else; after a stop, chains that are left out differ the next time. */
    private Optional<Plan> begin(final Order order, final BooleanSupplier isStopped) {
        tune(order, isStopped);
        final var next = Plan.of(order, guide, isStopped);
        final boolean isDone = !isStopped.getAsBoolean();
        last = Optional.of(new Version(isDone ? order : next.order(order.risks()), next));
        return isDone ? Optional.of(next) : Optional.empty();
    }

    private void tune(final Order order, final BooleanSupplier isStopped) {
        final var tuned = guide.tunedTo(order.problem(), isStopped);
        if (!isStopped.getAsBoolean()) {
            guide = tuned;
            isTuned = true;
        }
    }
}
