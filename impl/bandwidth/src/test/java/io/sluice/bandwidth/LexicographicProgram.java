// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Max-min dominant shares of applications by a sequence of linear programs: the largest share that all can have; then,
 * for each by itself, whether it could have more while the others keep theirs; those that can't are settled, and so on.
 * The slow reference for rounds of plain flows: an application with all of its demand is settled too, at first, and
 * then all go on beyond it from what they have.
 */
final class LexicographicProgram {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    private static final double PRECISION = 1e-7;

    private final Instance instance;
    private final double[] floors;
    private final double most;
    private final double[] progress;
    private final double[] whole;
    private final boolean[] settled;

    /**
     * A program of these floors of progress, and with this progress as the most.
     */
    private LexicographicProgram(final Instance instance, final double[] floors, final double most) {
        this.instance = instance;
        this.floors = floors;
        this.most = most;
        progress = floors.clone();
        settled = new boolean[progress.length];
        whole = SlowFilling.dominantShares(instance);
    }

    /** Progress of each application, 0..1: its share as part of the share that it needs for all of its demand. */
    static double[] toDemand(final Instance instance) {
        return new LexicographicProgram(instance, new double[instance.applications.size()], 1).solve();
    }

    /** The same, above 1 too, with as much as {@link #toDemand} for each at least. */
    static double[] toLimit(final Instance instance) {
        return new LexicographicProgram(instance, toDemand(instance), INFINITY).solve();
    }

    private double[] solve() {
        while (IntStream.range(0, settled.length).anyMatch(application -> !settled[application])) {
            final double common = most(-1);
            for (int application = 0; application < settled.length; application++) {
                progress[application] = settled[application] ? progress[application]
                    : Math.max(floors[application], common / whole[application]);
            }
            final boolean[] stuck = new boolean[settled.length];
            for (int application = 0; application < settled.length; application++) {
                stuck[application] = !settled[application] && most(application)
                    < Math.max(common, floors[application] * whole[application]) + PRECISION * whole[application];
            }
            for (int application = 0; application < settled.length; application++) {
                settled[application] |= stuck[application];
            }
        }
        return progress;
    }

    /** The most that {@code alone} can have, or all that are not settled, if it is -1, at once. */
    private double most(final int alone) {
        final var solver = MPSolver.createSolver("GLOP");
        try {
            final double largest = IntStream.range(0, settled.length).filter(application -> moves(application, alone))
                .mapToDouble(application -> whole[application] * most).min().orElseThrow();
            final var sought = solver.makeNumVar(0, largest, "");
            final var rates = Arrays.stream(instance.need).mapToObj(need -> solver.makeNumVar(0, INFINITY, ""))
                .toArray(MPVariable[]::new);
            for (int flow = 0; flow < rates.length; flow++) {
                final int application = instance.applicationOf[flow];
                final var kept = solver.makeConstraint(
                    moves(application, alone) ? floors[application] : progress[application], INFINITY);
                kept.setCoefficient(rates[flow], 1 / instance.need[flow]);
                if (moves(application, alone)) {
                    final var more = solver.makeConstraint(0, INFINITY);
                    more.setCoefficient(rates[flow], 1 / instance.need[flow]);
                    more.setCoefficient(sought, -1 / whole[application]);
                }
            }
            for (int link = 0; link < instance.available.length; link++) {
                final var capacity = solver.makeConstraint(-INFINITY, 1);
                final var crossings = instance.crossings;
                for (int at = crossings.firstFlow[link]; at < crossings.firstFlow[link + 1]; at++) {
                    capacity.setCoefficient(rates[crossings.flowAt[at]],
                        crossings.flowPart[at] / instance.available[link]);
                }
            }
            solver.objective().setCoefficient(sought, 1);
            solver.objective().setMaximization();
            if (solver.solve() != MPSolver.ResultStatus.OPTIMAL) {
                throw new IllegalStateException("no optimum");
            }
            return sought.solutionValue();
        } finally {
            solver.delete();
        }
    }

    private boolean moves(final int application, final int alone) {
        return alone == -1 ? !settled[application] : alone == application;
    }
}
