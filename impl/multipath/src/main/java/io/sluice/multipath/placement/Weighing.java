// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

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

    /** One of several paths to a server that all have their part. */
    public static Weighing shared(final Candidate candidate, final Way taken, final List<Way> ways,
            final String because) {
        final double all = ways.stream().mapToLong(Way::weight).sum();
        return new Weighing(ways.size(), Stream.concat(Stream.of(taken), ways.stream().filter(way -> way != taken))
            .map(way -> Alternative.of(new Option(candidate, way.forward(), way.backward()), OptionalLong.empty(),
                Optional.empty())).toList(), false,
            because + String.format(Locale.ROOT, "; this one's is %.2f", all == 0 ? 1.0 / ways.size()
                : taken.weight() / all));
    }

    /** The best choice that was not taken. */
    public Optional<Alternative> runnerUp() {
        return ranked && alternatives.size() > 1 ? Optional.of(alternatives.get(1)) : Optional.empty();
    }
}
