// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A choice that was weighed, with what spoke for and against it at that moment.
 *
 * @param forward path from the client; empty where none was looked for, since the server had lost already
 * @param cost of path and server, in which an idle link or a fully loaded server is {@link LinkCost#IDLE}; empty where
 *     the strategy weighs no cost
 * @param utilisation load of the fullest link, there and back, over its capacity
 * @param rate what the piece would have got, zero if nothing limits it; empty where the strategy does not ask
 */
public record Alternative(Candidate candidate, Optional<Path> forward, OptionalLong cost, double utilisation,
        Optional<Bandwidth> rate) {
    /** A server that was not chosen, before any path was looked for. */
    static Alternative server(final Candidate candidate) {
        return new Alternative(candidate, Optional.empty(), OptionalLong.empty(), 0, Optional.empty());
    }

    static Alternative of(final Option option, final OptionalLong cost, final Optional<Bandwidth> rate) {
        return new Alternative(option.candidate(), Optional.of(option.forward()), cost,
            Math.max(fullest(option.forward()), fullest(option.backward())), rate);
    }

    /** The same at another server. */
    public Alternative at(final Candidate other) {
        return new Alternative(other, forward, cost, utilisation, rate);
    }

    /** Load over capacity of a path's fullest link. */
    static double fullest(final Path path) {
        return path.links().stream().mapToDouble(link ->
            (double) link.load().bitsPerSecond() / Math.max(1, link.capacity().bitsPerSecond())).max().orElse(0);
    }

    @Override
    public String toString() {
        return candidate.server() + forward.map(path -> " over " + path.links()).orElse("")
            + rate.stream().flatMap(known -> known.equals(Bandwidth.ZERO) ? Stream.empty() : Stream.of(", " + known))
                .findFirst().orElse("");
    }
}
