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
 *                     \--- the network differs -----------------&gt; KEPT, few chains moved
 * </pre>
 */
public final class KeptPlan {
    /** By how much of itself traffic may change before the guide is tuned to it anew. */
    private static final double DRIFT = 0.1;

    private Optional<Version> last = Optional.empty();
    private Guide guide = Guide.NONE;
    private Optional<Order> tunedTo = Optional.empty();

    private record Version(Order order, Plan plan) { }

    /** Has all chains that are planned from now on follow another guide, tuned to the chains that there are. */
    public void guideBy(final Guide other) {
        guide = other;
        tunedTo = Optional.empty();
    }

    /**
     * The plan of an order; the one before it is given up, or becomes it. Chains in it may be moved; for other changes
     * there are copies.
     *
     * @return empty if it was stopped; then the plan is on the way, and goes on the next time, or still that of before
     *     if the network differs
     */
    public Optional<Plan> follow(final Order order, final BooleanSupplier isStopped) {
        if (last.isPresent() && tunedTo.isEmpty()) {
            tune(order, isStopped);
        }
        final var plan = planned(order, isStopped);
        if (plan.isPresent() && !isTunedTo(order)) {
            tune(order, isStopped);
        }
        return plan.flatMap(done -> last.map(Version::plan));
    }

    private Optional<Plan> planned(final Order order, final BooleanSupplier isStopped) {
        if (last.isEmpty()) {
            return begin(order, isStopped);
        }
        final var version = last.orElseThrow();
        return version.order().equals(order) ? Optional.of(version.plan())
            : version.order().differsInChains(order) ? succeed(order, isStopped) : adapt(order, isStopped);
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

    /** After a stop the plan is that of before, unless its numbers mean something else now. */
    private Optional<Plan> adapt(final Order order, final BooleanSupplier isStopped) {
        final var version = last.orElseThrow();
        final var next = version.plan().on(order, isStopped).plan();
        return isStopped.getAsBoolean() && version.order().problem().isLike(order.problem()) ? Optional.empty()
            : keep(order, next, isStopped);
    }

    private Optional<Plan> begin(final Order order, final BooleanSupplier isStopped) {
        tune(order, isStopped);
        return keep(order, Plan.of(order, guide, isStopped), isStopped);
    }

    /** After a stop, chains that are left out differ the next time. */
    private Optional<Plan> keep(final Order order, final Plan plan, final BooleanSupplier isStopped) {
        final boolean isDone = !isStopped.getAsBoolean();
        last = Optional.of(new Version(isDone ? order : plan.order(order.risks()), plan));
        return isDone ? Optional.of(plan) : Optional.empty();
    }

    private void tune(final Order order, final BooleanSupplier isStopped) {
        final var tuned = guide.tunedTo(order.problem(), isStopped);
        if (!isStopped.getAsBoolean()) {
            guide = tuned;
            tunedTo = Optional.of(order);
            last = last.map(version -> new Version(version.order(), version.plan().guidedBy(tuned)));
        }
    }

    private boolean isTunedTo(final Order order) {
        return tunedTo.filter(tuned -> tuned.problem().isLike(order.problem())
            && Math.abs(demand(order) - demand(tuned)) <= DRIFT * demand(tuned)).isPresent();
    }

    private static double demand(final Order order) {
        return order.problem().chains().stream().mapToDouble(chain -> chain.stages().get(0).total().bitsPerSecond()).sum();
    }
}
