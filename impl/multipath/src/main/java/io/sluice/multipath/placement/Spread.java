// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The paths over which a strategy splits traffic between two switches beforehand, and their weights. */
final class Spread {
    private final PathFinder finder;
    private final PlacerSettings settings;

    Spread(final PathFinder finder, final PlacerSettings settings) {
        this.finder = finder;
        this.settings = settings;
    }

    /**
     * Returns the ways, at most {@code most}; none if no path leads there.
     *
     * @param world without the traffic that is to be split
     */
    List<Way> ways(final World world, final SwitchId from, final SwitchId to, final Strategy strategy,
            final int most) {
        if (from.equals(to)) {
            final var here = new Path(from, from, List.of());
            return List.of(new Way(here, here, 1));
        }
        return switch (strategy) {
            case SINGLE -> equal(finder.shortest(from, to, 1));
            case ECMP -> equal(finder.shortest(from, to, most));
            case RANDOM -> equal(apart(from, to, most));
            case LEAST_LOADED, GREEDY, JOINT -> byRate(world, apart(from, to, most));
        };
    }

    /** The disjoint paths, as many as there are, without those that are much longer than the shortest. */
    private List<Path> apart(final SwitchId from, final SwitchId to, final int most) {
        final int disjoint = finder.find(from, to, most, PathFinder.Unshared.LINK).disjoint();
        final var paths = disjoint == 0 ? List.<Path>of() : finder.disjoint(from, to, disjoint, link -> 1);
        final int shortest = paths.stream().mapToInt(path -> path.links().size()).min().orElse(0);
        return paths.stream().filter(path -> path.links().size() * 1e6
            <= shortest * (1e6 + settings.costTolerancePpm())).toList();
    }

    private List<Way> equal(final List<Path> paths) {
        return paths.stream().map(path -> new Way(path, finder.reversed(path), 1)).toList();
    }

    /** Weighs each path by what a flow on it would get if there were one on each. */
    private List<Way> byRate(final World world, final List<Path> paths) {
        final var shares = world.shares();
        final var channels = paths.stream().map(path ->
            shares.channel(path, finder.reversed(path), Optional.empty())).toList();
        channels.forEach(shares::add);
        final var filled = shares.fill(channels);
        return IntStream.range(0, paths.size()).mapToObj(i -> new Way(paths.get(i), finder.reversed(paths.get(i)),
            (long) Math.min(filled.get(channels.get(i)).rate(), capacity(paths.get(i))))).toList();
    }

    private static long capacity(final Path path) {
        return path.links().stream().map(Link::capacity).mapToLong(rate -> rate.bitsPerSecond()).min().orElse(0);
    }
}
