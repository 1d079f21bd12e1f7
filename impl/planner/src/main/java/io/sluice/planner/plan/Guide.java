// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Instance;
import io.sluice.planner.dp.Tuning;
import io.sluice.planner.dp.Weights;
import io.sluice.planner.dp.Weights.Units;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * How routes are weighed that are looked for between two linear programs: by the prices that the last of these found,
 * and by utilisation, see {@link Weights}.
 */
public final class Guide {
    /** Growth of traffic that is prepared for unless somebody says otherwise. */
    public static final double HEADROOM = 0.1;
    /** No prices, and a weight of utilisation that nothing has tuned. */
    public static final Guide NONE = new Guide(Optional.empty(), new double[0], 0, Optional.empty(),
        Tuning.KAPPAS.get(0));

    /** Prices of routes that are further from the optimum may be anything. */
    private static final double LARGEST_GAP = 0.01;
    /** The plan places each chain once. */
    private static final int PASSES = 1;
    /** With so much more traffic a program also prices what is nearly full. */
    private static final List<Double> MARGINS = List.of(0.0, 0.03, 0.05);

    /** Whose rows have prices; without chains. */
    private final Optional<Problem> problem;
    /** Price of one bit/s or cycle/s of each row, in bit/s times microseconds. */
    private final double[] perUnit;
    private final double headroom;
    /** Empty if no chains are known. */
    private final Optional<Units> units;
    private final double kappa;

    private Guide(final Optional<Problem> problem, final double[] perUnit, final double headroom,
            final Optional<Units> units, final double kappa) {
        this.problem = problem;
        this.perUnit = perUnit;
        this.headroom = headroom;
        this.units = units;
        this.kappa = kappa;
    }

    /**
     * The prices of routes of least latency.
     *
     * @throws IllegalArgumentException for another objective, whose prices are in another unit
     */
    public static Guide of(final Instance instance, final Routed routed) {
        return of(instance, routed, 0);
    }

    private static Guide of(final Instance instance, final Routed routed, final double headroom) {
        if (routed.objective() != Objective.LATENCY) {
            throw new IllegalArgumentException("prices of " + routed.objective());
        }
        return new Guide(Optional.of(instance.problem().withChains(List.of())), IntStream.range(0, instance.rows())
            .mapToDouble(row -> routed.prices()[row] / instance.capacity(row)).toArray(), headroom, NONE.units,
            NONE.kappa);
    }

    /**
     * The prices at which SB-DP carries most of an instance's traffic and as much more as {@code headroom} says, among
     * equals those of least latency: of routes for this traffic, and for a little more, so that what is nearly full has
     * a price too. Where nothing is known of so much, the prices of {@code routed}.
     *
     * @param routed routes of least latency without headroom
     * @param headroom how much more traffic is prepared for, as a share
     * @param limits of each of the programs that are solved
     */
    public static Guide learnt(final Instance instance, final Routed routed, final double headroom,
            final Limits limits) {
        final var grown = instance.scaledBy(1 + headroom);
        final var guides = new ArrayList<Guide>();
        for (final double margin : MARGINS) {
            if (headroom + margin > 0 && ChainRouting.solve(grown.scaledBy(1 + margin), Objective.LATENCY, limits)
                    instanceof Routed dearer && isWorthLearning(dearer)) {
                guides.add(of(instance, dearer, headroom).tunedTo(grown, limits.isStopped()));
            }
        }
        if (headroom == 0 || guides.isEmpty()) {
            guides.add(0, of(instance, routed, headroom).tunedTo(grown, limits.isStopped()));
        }
        return guides.get(Tuning.choice(grown, guides.stream().map(guide -> guide.weights(grown)).toList(),
            PASSES, limits.isStopped()));
    }

    /** Whether routes are of least latency, near enough to it for their prices to mean something. */
    public static boolean isWorthLearning(final Routed routed) {
        return routed.objective() == Objective.LATENCY && routed.gap() <= LARGEST_GAP;
    }

    /** The same with the kappa that is best for all chains of a problem; after a stop, for what was tried. */
    Guide tunedTo(final Problem chains, final BooleanSupplier isStopped) {
        return tunedTo(Instance.of(chains).scaledBy(1 + headroom), isStopped);
    }

    private Guide tunedTo(final Instance grown, final BooleanSupplier isStopped) {
        final var known = Optional.of(Units.of(grown));
        return new Guide(problem, perUnit, headroom, known, Tuning.kappa(grown,
            trial -> new Guide(problem, perUnit, headroom, known, trial).weights(grown), PASSES, isStopped));
    }

    /** Weights for an instance, without the prices if its numbers mean something else. */
    Weights weights(final Instance instance) {
        final var plain = Weights.of(instance, units.orElseGet(() -> Units.idle(instance)), kappa);
        return problem.filter(instance.problem()::isLike).map(priced -> plain.plus(IntStream.range(0, instance.rows())
            .mapToDouble(row -> perUnit[row] * instance.capacity(row)).toArray())).orElse(plain);
    }
}
