// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is in the way of chains that have no route at all. */
public final class Obstacles {
    private static final int CHAINS_TOLD = 10;
    private static final int NODES_TOLD = 3;

    private Obstacles() {
        // explains, and has no instances
    }

    /** The first of these chains, each with what is in its way, and how many there are besides. */
    public static String reason(final Instance instance, final List<Integer> chains) {
        final int others = chains.size() - CHAINS_TOLD;
        return chains.stream().limit(CHAINS_TOLD)
            .map(chain -> instance.problem().chains().get(chain).name() + " (" + of(instance, chain) + ")")
            .collect(Collectors.joining(", ", "no route at all for ", others > 0 ? " and " + others + " more" : ""));
    }

    private static String of(final Instance instance, final int number) {
        final var chain = instance.chain(number);
        int[] reached = IntStream.range(0, chain.width(0)).toArray();
        for (int layer = 1; layer < chain.layers(); layer++) {
            final int to = layer;
            final int[] open = IntStream.range(0, chain.width(to)).filter(position ->
                to == chain.layers() - 1 || !instance.isShut(chain.deployment(to, position))).toArray();
            if (open.length == 0) {
                return name(instance, number, to) + " has no open deployment";
            }
            final int[] from = reached;
            reached = Arrays.stream(open).filter(position -> Arrays.stream(from)
                .anyMatch(before -> chain.isOpen(instance, to, before, position))).toArray();
            if (reached.length == 0) {
                return name(instance, number, to) + " is out of reach of " + name(instance, number, to - 1);
            }
        }
        return "no way through all of it";
    }

    /** What a layer of a chain is. */
    private static String name(final Instance instance, final int number, final int layer) {
        final var problem = instance.problem();
        final var chain = problem.chains().get(number);
        return layer > 0 && layer <= chain.vnfs().size()
            ? "VNF " + problem.vnfs().get(chain.vnfs().get(layer - 1)).name()
            : (layer == 0 ? chain.ingresses() : chain.egresses()).stream().limit(NODES_TOLD)
                .map(problem.network().nodes()::get).collect(Collectors.joining(" or "));
    }
}
