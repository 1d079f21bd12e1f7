// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.api.Bandwidth;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.LayeredChain;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.RouteOracle;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.plan.Admission.Admitted;
import io.sluice.planner.plan.Admission.Oversubscribed;
import io.sluice.planner.plan.Admission.Refused;
import io.sluice.planner.plan.Admission.Unreachable;

/** What could be done for a chain on what the others leave; books nothing. */
final class Offers {
    private static final Limits EXACT = new Limits(1e-9, 1, () -> false);

    private final Instance instance;
    private final SequentialRouting routing;
    private final RouteOracle oracle = new RouteOracle();
    private final Shares shares;

    /** Routes that would do, and what is to be said of them. */
    record Offer(Admission admission, Split split) { }

    Offers(final Instance instance, final SequentialRouting routing) {
        this.instance = instance;
        this.routing = routing;
        shares = new Shares(instance);
    }

    /**
     * As much as there is room for, or with {@code oversubscribe} all of it.
     *
     * @param base what of the chain is in place, and stays there
     */
    Offer of(final LayeredChain layered, final Split base, final boolean oversubscribe) {
        final var more = best(layered, 1 - base.carried());
        final var split = base.plus(more);
        if (split.carried() >= 1 - Plan.ROUNDING) {
            return new Offer(new Admitted(), split);
        }
        routing.take(layered, more);
        final var route = new int[layered.layers()];
        final boolean isReachable = Prices.isUsable(oracle.cheapest(layered, routing.worths(), route));
        final var bottleneck = isReachable ? fullest(layered, route) : "";
        routing.release(layered, more);
        if (!isReachable) {
            return new Offer(new Unreachable(), split);
        }
        final var fits = new Bandwidth((long) (split.carried() * layered.demand() + Plan.ROUNDING));
        if (!oversubscribe) {
            return new Offer(new Refused(bottleneck, fits), split);
        }
        final int rest = split.indexOf(route, route.length);
        split.setFraction(rest, split.fraction(rest) + 1 - split.carried());
        return new Offer(new Oversubscribed(bottleneck, fits), split);
    }

    /**
     * Routes for a fraction of the chain: by SB-DP, and where that leaves something by a linear program, which knows no
     * delays, if that carries more than rounding explains.
     */
    private Split best(final LayeredChain layered, final double fraction) {
        final var quick = routing.route(layered, fraction);
        routing.release(layered, quick);
        if (quick.carried() >= fraction - Plan.ROUNDING
                || !(ChainRouting.solve(instance.left(routing.use(), layered), Objective.CARRIED, EXACT)
                    instanceof Routed exact)) {
            return quick;
        }
        final var split = exact.splits().get(0).routed();
        final double tooMuch = split.carried() / fraction;
        for (int index = 0; tooMuch > 1 && index < split.size(); index++) {
            split.setFraction(index, split.fraction(index) / tooMuch);
        }
        return split.carried() > quick.carried() * (1 + Plan.ROUNDING) ? split : quick;
    }

    private String fullest(final LayeredChain layered, final int[] route) {
        shares.clear();
        shares.add(layered, route, 1);
        final double[] use = routing.use();
        int fullest = shares.row(0);
        for (int i = 1; i < shares.size(); i++) {
            fullest = use[shares.row(i)] > use[fullest] ? shares.row(i) : fullest;
        }
        return instance.rowName(fullest);
    }
}
