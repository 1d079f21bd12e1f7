// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.lp.CapacityAnswer.Expanded;
import io.sluice.planner.lp.CapacityAnswer.Unroutable;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Additions;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import java.util.function.Function;

/**
 * Cloud capacity planning (sections 4.2 and 4.3 of the paper): how much to add to which site, so that all traffic can
 * grow most. {@link Expansion} has the program and its bound.
 */
public final class CapacityPlanning {
    private CapacityPlanning() {
        // plans, and has no instances
    }

    /**
     * Checks an addition.
     *
     * @param cyclesPerSecond the most that may be added to all sites together, 0 or more
     * @throws IllegalArgumentException if it is less than nothing, or a site with all of it is beyond all measure
     */
    public static void check(final Problem problem, final long cyclesPerSecond) {
        final long largest = problem.sites().stream().mapToLong(Site::cyclesPerSecond).max().orElse(0);
        if (cyclesPerSecond < 0 || cyclesPerSecond > Long.MAX_VALUE - largest) {
            throw new IllegalArgumentException("an addition of " + cyclesPerSecond + " cycles/s is not in 0.."
                + (Long.MAX_VALUE - largest));
        }
    }

    /** Shares an addition that passes {@link #check} out among the sites. */
    public static CapacityAnswer solve(final Instance instance, final long cyclesPerSecond, final Limits limits) {
        check(instance.problem(), cyclesPerSecond);
        if (cyclesPerSecond == 0) {
            return answer(ChainRouting.solve(instance, Objective.SCALE, limits),
                routed -> expanded(instance, routed, Additions.none(instance.problem())));
        }
        final var start = new UniformStart(instance, cyclesPerSecond, limits.observer());
        return answer(ChainRouting.solve(start.grown(), Objective.SCALE, limits.observedBy(start)), uniform -> {
            final var routed = ChainRouting.expand(instance, start.expansion(), limits, uniform, start.bound());
            return expanded(instance, routed, start.expansion().additions(Shares.ofAll(instance, routed.splits())));
        });
    }

    private static CapacityAnswer answer(final RoutingAnswer answer, final Function<Routed, Expanded> further) {
        return switch (answer) {
            case Routed routed -> further.apply(routed);
            case RoutingAnswer.Unroutable unroutable -> new Unroutable(unroutable.chains(), unroutable.reason());
            case RoutingAnswer other -> throw new IllegalStateException("rows that grow have no room: " + other);
        };
    }

    /** What the routes make of capacities in whole cycles. */
    private static Expanded expanded(final Instance instance, final Routed routed, final Additions additions) {
        final var grown = Instance.of(additions.applyTo(instance.problem()), instance.underlay());
        final double[] use = Shares.ofAll(instance, routed.splits());
        double fullest = 0;
        for (int row = 0; row < use.length; row++) {
            fullest = Math.max(fullest, use[row] * instance.capacity(row) / grown.capacity(row));
        }
        final double scale = 1 / fullest;
        return new Expanded(additions, scale, routed.bound(),
            fullest > 0 ? Math.max(0, 1 - scale / routed.bound()) : 0, routed.splits());
    }
}
