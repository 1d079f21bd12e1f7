// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Vnf;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InstanceTest {
    /** Two parallel links, and two sites at one node. */
    @Test
    void rowsAreCalledWhatAnOperatorCallsThem() {
        assertEquals(List.of("link north", "link south", "site old", "site new", "nat at old", "nat at new"),
            rowNames(problem(List.of("north", "south"), List.of("old", "new"))));
    }

    @Test
    void whatHasNoNameIsCalledByItsNodes() {
        assertEquals(List.of("link a -> b", "link a -> b", "site b", "site b", "nat at b", "nat at b"),
            rowNames(problem(List.of("", ""), List.of("", ""))));
    }

    @Test
    void numbersMeanTheSameWhileNamesStay() {
        final var problem = problem(List.of("north", "south"), List.of("old", "new"));
        assertTrue(problem.isLike(problem(List.of("north", "south"), List.of("old", "new"))));
        assertFalse(problem.isLike(problem(List.of("south", "west"), List.of("old", "new"))), "another link is first");
        assertFalse(problem.isLike(problem(List.of("north", "south"), List.of("new", "old"))), "another site is");
    }

    private static Problem problem(final List<String> links, final List<String> sites) {
        final var nat = new Vnf("nat", 1, List.of(new Deployment(0, 1), new Deployment(1, 1)));
        return new Problem(new Network(List.of("a", "b"), links.stream().map(name ->
            new Link(name, 0, 1, new Bandwidth(1), Bandwidth.ZERO, 1_000_000, 1, 1)).toList()),
            sites.stream().map(name -> new Site(name, 1, 1)).toList(), List.of(nat), List.of());
    }

    private static List<String> rowNames(final Problem problem) {
        final var instance = Instance.of(problem);
        return IntStream.range(0, instance.rows()).mapToObj(instance::rowName).toList();
    }
}
