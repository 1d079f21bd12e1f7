// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Split;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Vnf;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * What the numbers of one problem are in another, by names. Things of the same name, such as parallel links without
 * any, correspond in their order.
 */
final class Translation {
    private static final int GONE = -1;

    private final Problem from;
    private final Problem to;
    private final int[] nodes;
    private final int[] links;
    private final int[] sites;
    private final int[] vnfs;

    Translation(final Problem from, final Problem to) {
        this.from = from;
        this.to = to;
        nodes = numbers(from.network().nodes(), to.network().nodes());
        links = numbers(names(from.network().links().size(), number -> course(from, number)),
            names(to.network().links().size(), number -> course(to, number)));
        sites = numbers(names(from.sites().size(), from::siteName), names(to.sites().size(), to::siteName));
        vnfs = numbers(from.vnfs().stream().map(Vnf::name).toList(), to.vnfs().stream().map(Vnf::name).toList());
    }

    /** Whether the other problem has a link between the same nodes for that one. */
    boolean hasLink(final int link) {
        return links[link] != GONE;
    }

    /** The number there of a link of which {@link #hasLink} holds. */
    int link(final int link) {
        return links[link];
    }

    /** The same chain there; empty if one of its ends or VNFs is gone. */
    Optional<Chain> chain(final Chain chain) {
        final var ingresses = translated(chain.ingresses(), nodes);
        final var egresses = translated(chain.egresses(), nodes);
        final var functions = translated(chain.vnfs(), vnfs);
        return ingresses.contains(GONE) || egresses.contains(GONE) || functions.contains(GONE) ? Optional.empty()
            : Optional.of(new Chain(chain.name(), ingresses, egresses, functions, chain.stages()));
    }

    /** The same routes there, for a chain with the same ends and VNFs; empty if it has others, or if a site is gone. */
    Optional<Split> split(final Placed placed, final Chain other) {
        if (chain(placed.chain()).filter(other::servesAs).isEmpty()) {
            return Optional.empty();
        }
        final var split = new Split();
        for (int index = 0; index < placed.split().size(); index++) {
            final int[] route = placed.split().routeCopy(index);
            for (int layer = 1; layer < route.length - 1; layer++) {
                route[layer] = position(placed.chain().vnfs().get(layer - 1), route[layer]);
            }
            if (Arrays.stream(route).anyMatch(position -> position == GONE)) {
                return Optional.empty();
            }
            split.setFraction(split.indexOf(route, route.length), placed.split().fraction(index));
        }
        return Optional.of(split.isLike(placed.split()) ? placed.split() : split);
    }

    /** Where the deployment at a position of a VNF's is among those of the same VNF there. */
    private int position(final int vnf, final int position) {
        final int site = sites[from.vnfs().get(vnf).deployments().get(position).site()];
        final var deployments = to.vnfs().get(vnfs[vnf]).deployments();
        return site == GONE ? GONE : IntStream.range(0, deployments.size())
            .filter(there -> deployments.get(there).site() == site).findFirst().orElse(GONE);
    }

    private static List<Integer> translated(final List<Integer> numbers, final int[] there) {
        return numbers.stream().map(number -> there[number]).toList();
    }

    private static List<String> names(final int count, final IntFunction<String> name) {
        return IntStream.range(0, count).mapToObj(name).toList();
    }

    private static String course(final Problem problem, final int number) {
        final var link = problem.network().links().get(number);
        return String.join("\n", link.name(), problem.network().nodes().get(link.from()),
            problem.network().nodes().get(link.to()));
    }

    private static int[] numbers(final List<String> from, final List<String> to) {
        final var keys = keys(to);
        final var there = new HashMap<String, Integer>();
        IntStream.range(0, to.size()).forEach(number -> there.put(keys.get(number), number));
        return keys(from).stream().mapToInt(key -> there.getOrDefault(key, GONE)).toArray();
    }

    /** Each name with how many there were of it before. */
    private static List<String> keys(final List<String> names) {
        final var counts = new HashMap<String, Integer>();
        return names.stream().map(name -> counts.merge(name, 1, Integer::sum) + "\n" + name).toList();
    }
}
