// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Random inputs, with the corners that paths trip over: parallel arcs, lone arcs, self-loops, ties and zero costs. */
final class RandomGraphs {
    private RandomGraphs() {
        // functions only
    }

    /** A graph of {@code links} links between random vertices, costs 0..{@code maxCost}. */
    static Multigraph multigraph(final RandomGenerator random, final int vertices, final int links,
            final int maxCost) {
        final var graph = Multigraph.builder(vertices);
        for (int link = 0; link < links; link++) {
            final int tail = random.nextInt(vertices);
            final int head = random.nextInt(vertices);
            switch (random.nextInt(4)) {
                case 0 -> graph.arc(tail, head, random.nextInt(maxCost + 1));
                case 1 -> graph.cable(tail, head, random.nextInt(maxCost + 1), random.nextInt(maxCost + 1));
                default -> graph.cable(tail, head, random.nextInt(maxCost + 1));
            }
        }
        return graph.build();
    }

    /** Up to {@code most} groups of random links; a link may be in several, a group may be empty. */
    static List<Set<Integer>> groups(final RandomGenerator random, final Multigraph graph, final int most) {
        return IntStream.range(0, random.nextInt(most + 1)).mapToObj(group -> {
            final Set<Integer> members = new HashSet<>();
            for (int arc = 0; arc < graph.arcCount(); arc++) {
                if (random.nextInt(6) == 0) {
                    members.add(arc);
                }
            }
            return members;
        }).toList();
    }
}
