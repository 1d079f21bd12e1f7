// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a plan is to be of.
 *
 * @param problem the network, and all chains
 * @param risks when one of their links has no room left, chains that move avoid the others where they can
 * @param oversubscribed names of chains that are carried whole though there is no room for them
 */
public record Order(Problem problem, Risks risks, Set<String> oversubscribed) {
    public Order {
        oversubscribed = Set.copyOf(oversubscribed);
    }

    /** Without risks, and each chain with as much as there is room for. */
    public Order(final Problem problem) {
        this(problem, new Risks(List.of()), Set.of());
    }

    /** The same on a network that changed. */
    Order on(final Problem changed) {
        return new Order(changed, risks, oversubscribed);
    }

    /** Whether nothing but chains differs. */
    boolean differsInChains(final Order other) {
        return problem.equalsButForChains(other.problem) && risks.equals(other.risks);
    }

    boolean mayOverfill(final String chain) {
        return oversubscribed.contains(chain);
    }

    /** All chains, those last that are carried without room, so that nobody gives way to them. */
    List<Chain> inTurn() {
        return problem.chains().stream().sorted(Comparator.comparing(chain -> mayOverfill(chain.name()))).toList();
    }

    /** Links that may fail next, as they share a risk with one that has no room left. */
    Set<Integer> suspects() {
        final var links = problem.network().links();
        return risks.suspects(IntStream.range(0, links.size())
            .filter(link -> links.get(link).room().bitsPerSecond() == 0).boxed().collect(Collectors.toSet()));
    }
}
