// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The largest scale by POP, as a modern peer of SB-LP (D. Narayanan et al., Solving Large-Scale Granular Resource
 * Allocation Problems Efficiently with POP, SOSP 2021): chains are split at random into equal parts, each part has its
 * share of every capacity, all parts are solved by the same program, and the routes are put together.
 */
public final class RandomSplit {
    private RandomSplit() {
        // solves, and has no instances
    }

    /**
     * Routes of all parts.
     *
     * @param scale by which all traffic can be multiplied on these routes
     * @param splits routes of each chain
     */
    public record Combined(double scale, List<Split> splits) {
        public Combined {
            splits = List.copyOf(splits);
        }
    }

    /**
     * Solves part after part.
     *
     * @param instance as it was made from its problem: not scaled
     * @param parts the k of the paper, 1 or more
     * @param seed of the split
     * @return empty if some chain has no route
     */
    public static Optional<Combined> solve(final Instance instance, final int parts, final long seed,
            final Limits limits) {
        final var order = new ArrayList<>(IntStream.range(0, instance.chainCount()).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        final var splits = new Split[order.size()];
        for (int part = 0; part < parts; part++) {
            final int first = part;
            final var members = IntStream.range(0, order.size()).filter(place -> place % parts == first)
                .mapToObj(order::get).toList();
            final var chains = members.stream().map(instance.problem().chains()::get).toList();
            // so many times the traffic on all of a capacity is the same as the traffic on its share
            final var small = Instance.of(instance.problem().withChains(chains), instance.underlay()).scaledBy(parts);
            if (!(ChainRouting.solve(small, Objective.SCALE, limits) instanceof Routed routed)) {
                return Optional.empty();
            }
            for (int i = 0; i < members.size(); i++) {
                splits[members.get(i)] = routed.splits().get(i);
            }
        }
        final var routes = Arrays.asList(splits);
        return Optional.of(new Combined(1 / Arrays.stream(Shares.ofAll(instance, routes)).max().orElse(0), routes));
    }
}
