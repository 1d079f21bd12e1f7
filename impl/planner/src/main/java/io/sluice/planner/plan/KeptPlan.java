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
    /** Where the last version is being taken over to. */
    private Optional<Passage> underWay = Optional.empty();
    private Guide guide = Guide.NONE;
    private Optional<Order> tunedTo = Optional.empty();

    private record Version(Order order, Plan plan) { }

    private record Passage(Order order, Replanning work) { }

    /** Has all chains that are planned from now on follow another guide, tuned to the chains that there are. */
    public void guideBy(final Guide other) {
        guide = other;
        tunedTo = Optional.empty();
        underWay = Optional.empty();
    }

    /**
     * The plan of an order; the one before it is given up, or becomes it. Chains in it may be moved; for other changes
     * there are copies.
     *
     * @return empty if it was stopped; then the plan is on the way, or that of before where the network differs, and
     *     what is left is done the next time
     */
    public Optional<Plan> follow(final Order order, final BooleanSupplier isStopped) {
        if (last.isPresent() && tunedTo.isEmpty()) {
            tune(order, isStopped);
        }
        final var plan = planned(order, isStopped);
        if (plan.isPresent() && !isTunedTo(order)) {
            tune(order, isStopped);
            tunedTo = tunedTo.filter(tuned -> !isStopped.getAsBoolean());
        }
        return plan.flatMap(done -> last.map(Version::plan));
    }

    private Optional<Plan> planned(final Order order, final BooleanSupplier isStopped) {
        if (last.isEmpty()) {
            return begin(order, isStopped);
        }
        final var version = last.orElseThrow();
        if (!version.order().differsInChains(order)) {
            return adapt(order, isStopped);
        }
        underWay = Optional.empty();
        return version.order().equals(order) ? Optional.of(version.plan()) : succeed(order, isStopped);
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

    /** Where the network differs, what is left after a stop is done the next time, and before chains that differ. */
    private Optional<Plan> adapt(final Order order, final BooleanSupplier isStopped) {
        if (underWay.filter(passage -> passage.order().differsInChains(order)).isEmpty()) {
            underWay = last.map(version -> new Passage(order, version.plan().towards(order)));
        }
        final var passage = underWay.orElseThrow();
        underWay = Optional.empty();
        if (!passage.work().goOn(isStopped)) {
            underWay = Optional.of(passage);
            return Optional.empty();
        }
        last = Optional.of(new Version(passage.order(), passage.work().replanned().plan()));
        return planned(order, isStopped);
    }

    /** After a stop, chains that are left out differ the next time. */
    private Optional<Plan> begin(final Order order, final BooleanSupplier isStopped) {
        tune(order, isStopped);
        final var plan = Plan.of(order, guide, isStopped);
        final boolean isDone = !isStopped.getAsBoolean();
        last = Optional.of(new Version(isDone ? order : plan.order(order.risks()), plan));
        return isDone ? Optional.of(plan) : Optional.empty();
    }

    /** After a stop the best of what was tried is taken, so that there is time for a plan. */
    private void tune(final Order order, final BooleanSupplier isStopped) {
        guide = guide.tunedTo(order.problem(), isStopped);
        tunedTo = Optional.of(order);
        last = last.map(version -> new Version(version.order(), version.plan().guidedBy(guide)));
    }

    private boolean isTunedTo(final Order order) {
        return tunedTo.filter(tuned -> tuned.problem().isLike(order.problem())
            && Math.abs(demand(order) - demand(tuned)) <= DRIFT * demand(tuned)).isPresent();
    }

    private static double demand(final Order order) {
        return order.problem().chains().stream().mapToDouble(chain -> chain.demand().bitsPerSecond()).sum();
    }
}
