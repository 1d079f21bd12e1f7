// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** How routes are weighed that are looked for between two linear programs: by the prices that the last of these found. */
public final class Guide {
    /** Carries more, with little more delay, than heavier or lighter weights on the paper's workload at half load. */
    private static final double KAPPA = 0.03;

    /** No prices: only delay and utilisation count. */
    public static final Guide NONE = new Guide(Optional.empty(), new double[0]);

    /** Whose rows have prices; without chains. */
    private final Optional<Problem> problem;
    /** Price of one bit/s or cycle/s of each row, in bit/s times microseconds. */
    private final double[] perUnit;

    private Guide(final Optional<Problem> problem, final double[] perUnit) {
        this.problem = problem;
        this.perUnit = perUnit;
    }

    /**
     * The prices of routes of least latency.
     *
     * @throws IllegalArgumentException for another objective, whose prices are in another unit
     */
    public static Guide of(final Instance instance, final Routed routed) {
        if (routed.objective() != Objective.LATENCY) {
            throw new IllegalArgumentException("prices of " + routed.objective());
        }
        return new Guide(Optional.of(instance.problem().withChains(List.of())), IntStream.range(0, instance.rows())
            .mapToDouble(row -> routed.prices()[row] / instance.capacity(row)).toArray());
    }

    /** Weights for an instance, without the prices if its numbers mean something else. */
    Weights weights(final Instance instance) {
        final var idle = Weights.idle(instance, KAPPA);
        return problem.filter(instance.problem()::isLike).map(priced -> idle.plus(IntStream.range(0, instance.rows())
            .mapToDouble(row -> perUnit[row] * instance.capacity(row)).toArray())).orElse(idle);
    }
}
