// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Max-min dominant shares of applications by a sequence of linear programs: the largest share that all can have; then,
 * for each by itself, whether it could have more while the others keep theirs; those that can't are settled, and so on.
 * The slow reference for rounds of plain flows; an application with all of its demand is settled too.
 */
final class LexicographicProgram {
    private static final double INFINITY = Double.POSITIVE_INFINITY;
    private static final double PRECISION = 1e-7;

    private final Instance instance;
    private final double[] progress;
    private final double[] whole;
    private final boolean[] settled;

    LexicographicProgram(final Instance instance) {
        this.instance = instance;
        progress = new double[instance.applications.size()];
        settled = new boolean[progress.length];
        whole = SlowFilling.dominantShares(instance);
    }

    /** Progress of each application, 0..1: its share as part of the share that it needs for all of its demand. */
    double[] solve() {
        while (IntStream.range(0, settled.length).anyMatch(application -> !settled[application])) {
            final double common = most(-1);
            for (int application = 0; application < settled.length; application++) {
                progress[application] = settled[application] ? progress[application] : common / whole[application];
            }
            final boolean[] stuck = new boolean[settled.length];
            for (int application = 0; application < settled.length; application++) {
                stuck[application] = !settled[application]
                    && most(application) < common + PRECISION * whole[application];
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
            final double most = IntStream.range(0, settled.length).filter(application -> moves(application, alone))
                .mapToDouble(application -> whole[application]).min().orElseThrow();
            final var sought = solver.makeNumVar(0, most, "");
            final var rates = Arrays.stream(instance.need).mapToObj(need -> solver.makeNumVar(0, INFINITY, ""))
                .toArray(MPVariable[]::new);
            for (int flow = 0; flow < rates.length; flow++) {
                final int application = instance.applicationOf[flow];
                final boolean moves = moves(application, alone);
                final var enough = solver.makeConstraint(moves ? 0 : progress[application], INFINITY);
                enough.setCoefficient(rates[flow], 1 / instance.need[flow]);
                enough.setCoefficient(sought, moves ? -1 / whole[application] : 0);
            }
            for (int link = 0; link < instance.available.length; link++) {
                final var capacity = solver.makeConstraint(-INFINITY, 1);
                for (int i = 0; i < instance.flowsOn[link].length; i++) {
                    capacity.setCoefficient(rates[instance.flowsOn[link][i]],
                        instance.partsOn[link][i] / instance.available[link]);
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
