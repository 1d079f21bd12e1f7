// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

import java.util.List;
import java.util.Optional;

/** When a run will end, going by how it went so far. */
final class Forecast {
    private Forecast() {
        // foretells, and has no instances
    }

    /**
     * The gap is taken to go on shrinking by the same factor a second as in the later half of the run.
     *
     * @param progress what was proven so far
     * @param gap that is to be proven
     * @param leftMs until the time limit; below 0 if a run has not taken note of it yet
     * @return 0 or more, empty while nobody can tell
     */
    static Optional<Long> remainingMs(final List<Progress> progress, final double gap, final long leftMs) {
        final long left = Math.max(0, leftMs);
        final var proven = progress.stream().filter(step -> Double.isFinite(step.gap())).toList();
        if (proven.size() < 2) {
            return Optional.empty();
        }
        final var first = proven.get((proven.size() - 1) / 2);
        final var last = proven.get(proven.size() - 1);
        if (last.gap() <= gap) {
            return Optional.of(0L);
        }
        final double shrinking = Math.log(first.gap() / last.gap()) / Math.max(1, last.elapsedMs() - first.elapsedMs());
        final double needed = Math.log(last.gap() / gap) / shrinking;
        return Optional.of(shrinking > 0 ? Math.min(left, (long) needed) : left);
    }
}
