// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * How routes are weighed that are looked for between two linear programs: by the prices that the last of these found,
 * and by utilisation, see {@link Weights}.
 */
public final class Guide {
    /** No prices, and a weight of utilisation that nothing has tuned. */
    public static final Guide NONE = new Guide(Optional.empty(), new double[0], Tuning.KAPPAS.get(0));

    /** Whose rows have prices; without chains. */
    private final Optional<Problem> problem;
    /** Price of one bit/s or cycle/s of each row, in bit/s times microseconds. */
    private final double[] perUnit;
    private final double kappa;

    private Guide(final Optional<Problem> problem, final double[] perUnit, final double kappa) {
        this.problem = problem;
        this.perUnit = perUnit;
        this.kappa = kappa;
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
            .mapToDouble(row -> routed.prices()[row] / instance.capacity(row)).toArray(), NONE.kappa);
    }

    /** The same with the kappa that is best for all chains of a problem; after a stop, for what was tried. */
    Guide tunedTo(final Problem chains, final BooleanSupplier isStopped) {
        final var instance = Instance.of(chains);
        return new Guide(problem, perUnit,
            Tuning.kappa(instance, trial -> new Guide(problem, perUnit, trial).weights(instance), isStopped));
    }

    /** Weights for an instance, without the prices if its numbers mean something else. */
    Weights weights(final Instance instance) {
        final var idle = Weights.idle(instance, kappa);
        return problem.filter(instance.problem()::isLike).map(priced -> idle.plus(IntStream.range(0, instance.rows())
            .mapToDouble(row -> perUnit[row] * instance.capacity(row)).toArray())).orElse(idle);
    }
}
