// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.List;
import java.util.Optional;

/**
 * How a choice came about. Written down when it is made and never computed anew.
 *
 * @param considered how many choices there were
 * @param alternatives the first {@link #KEPT} of them, the chosen one first
 * @param ranked whether they are in order of merit; a strategy that draws lots has no second best
 * @param because what decided, a sentence
 */
public record Weighing(int considered, List<Alternative> alternatives, boolean ranked, String because) {
    /** So many alternatives are kept for each piece. */
    public static final int KEPT = 16;

    public Weighing {
        alternatives = List.copyOf(alternatives.subList(0, Math.min(KEPT, alternatives.size())));
    }

    /** One that kept nothing of the other choices. */
    public static Weighing told(final int considered, final String because) {
        return new Weighing(considered, List.of(), false, because);
    }

    /** The best choice that was not taken. */
    public Optional<Alternative> runnerUp() {
        return ranked && alternatives.size() > 1 ? Optional.of(alternatives.get(1)) : Optional.empty();
    }
}
