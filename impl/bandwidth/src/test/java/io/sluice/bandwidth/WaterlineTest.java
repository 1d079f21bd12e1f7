// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.ortools.linearsolver.MPSolver;
import io.sluice.ortools.OrTools;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Problems (3) and (4) against a linear program. A failure names its seed. */
class WaterlineTest {
    private static final int CASES = 3_000;

    @BeforeAll
    static void loadSolver() {
        OrTools.load();
    }

    @Test
    void problemThreeHasTheClosedForm() {
        final var shares = new Waterline(new double[] {30, 10, 20}, new double[3], new double[3], infinite(3)).fill(6);

        assertArrayEquals(new double[] {3, 1, 2}, shares, 1e-12);
    }

    @Test
    void whatHasALongQueueWaitsInProblemFour() {
        final var shares = new Waterline(new double[] {1, 1}, new double[] {0, 9}, new double[2], infinite(2)).fill(6);

        assertArrayEquals(new double[] {6, 0}, shares, 1e-12);
    }

    @Test
    void theLargestRatioIsThatOfTheLinearProgram() {
        for (long seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final int count = random.nextInt(1, 9);
            final boolean bounded = random.nextBoolean();
            final double[] slopes = random.doubles(count, 0.1, 10).toArray();
            final double[] offsets = random.doubles(count, -3, 5).map(offset -> Math.max(0, offset)).toArray();
            final double[] lowest = random.doubles(count, 0, bounded ? 0.5 : Double.MIN_VALUE).toArray();
            final double[] highest = bounded ? IntStream.range(0, count)
                .mapToDouble(i -> lowest[i] + random.nextDouble(5)).toArray() : infinite(count);
            final double least = Arrays.stream(lowest).sum();
            final double capacity = least + random.nextDouble()
                * (bounded ? Arrays.stream(highest).sum() - least : 20);
            final var shares = new Waterline(slopes, offsets, lowest, highest).fill(capacity);

            assertEquals(capacity, Arrays.stream(shares).sum(), 1e-9, "seed " + seed);
            final double largest = IntStream.range(0, count)
                .mapToDouble(i -> (offsets[i] + shares[i]) / slopes[i]).max().orElseThrow();
            assertEquals(optimum(slopes, offsets, lowest, highest, capacity), largest, 1e-6, "seed " + seed);
        }
    }

    private static double optimum(final double[] slopes, final double[] offsets, final double[] lowest,
            final double[] highest, final double capacity) {
        final var solver = MPSolver.createSolver("GLOP");
        try {
            final var ratio = solver.makeNumVar(0, Double.POSITIVE_INFINITY, "ratio");
            final var sum = solver.makeConstraint(capacity, capacity);
            for (int i = 0; i < slopes.length; i++) {
                final var share = solver.makeNumVar(lowest[i], highest[i], "");
                sum.setCoefficient(share, 1);
                final var below = solver.makeConstraint(offsets[i], Double.POSITIVE_INFINITY);
                below.setCoefficient(ratio, slopes[i]);
                below.setCoefficient(share, -1);
            }
            solver.objective().setCoefficient(ratio, 1);
            assertEquals(MPSolver.ResultStatus.OPTIMAL, solver.solve());
            return ratio.solutionValue();
        } finally {
            solver.delete();
        }
    }

    private static double[] infinite(final int count) {
        final var highest = new double[count];
        Arrays.fill(highest, Double.POSITIVE_INFINITY);
        return highest;
    }
}
