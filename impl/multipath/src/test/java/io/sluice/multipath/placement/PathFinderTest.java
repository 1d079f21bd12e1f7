// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.PathFinder.Unshared;
import io.sluice.testlib.TopologyBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Switches 1 and 2 with two cables, 2 and 3 with three, 4 with none. */
class PathFinderTest {
    private FabricSnapshot fabric;
    private PathFinder finder;
    private SwitchId first;
    private SwitchId second;
    private SwitchId third;
    private SwitchId alone;

    @BeforeEach
    void build() {
        final var builder = new TopologyBuilder();
        first = builder.addSwitch();
        second = builder.addSwitch();
        third = builder.addSwitch();
        alone = builder.addSwitch();
        builder.connect(first, second, Bandwidth.ofMegabits(10), 2);
        builder.connect(second, third, Bandwidth.ofMegabits(10), 3);
        fabric = builder.build();
        finder = new PathFinder(fabric);
    }

    @Test
    void parallelCablesAreDistinctPaths() {
        assertEquals(6, new HashSet<>(finder.shortest(first, third, 100)).size());
        assertEquals(4, finder.shortest(first, third, 4).size());
        final var disjoint = finder.disjoint(first, third, 2, link -> 1);
        assertEquals(4, disjoint.stream().flatMap(path -> path.links().stream()).distinct().count());
    }

    @Test
    void hashesReachEveryShortestPath() {
        final Set<?> reached = LongStream.range(0, 1_000)
            .mapToObj(hash -> finder.shortest(first, third, hash).orElseThrow()).collect(Collectors.toSet());

        assertEquals(new HashSet<>(finder.shortest(first, third, 100)), reached);
    }

    @Test
    void costsChooseAmongCables() {
        final var cheap = fabric.links().stream().filter(link -> link.source().switchId().equals(first)).toList()
            .getLast();

        final var path = finder.disjoint(first, second, 1, link -> link.equals(cheap) ? 1 : 5).getFirst();

        assertEquals(List.of(cheap), path.links());
    }

    @Test
    void cableWithOneDirectionLeftIsNotUsed() {
        final var deaf = fabric.links().stream().filter(link -> link.source().switchId().equals(second)
            && link.destination().switchId().equals(first)).findFirst().orElseThrow();
        final var rest = new PathFinder(without(deaf));

        assertEquals(3, rest.shortest(first, third, 100).size());
        assertTrue(rest.shortest(first, third, 100).stream().noneMatch(path ->
            path.links().getFirst().source().equals(deaf.destination())));
    }

    @Test
    void linkThatComesBackElsewhereIsNoCable() {
        final var cables = fabric.links().stream().filter(link -> link.source().switchId().equals(first)).toList();
        final var crossed = new Link(cables.getFirst().source(), cables.getLast().destination(),
            cables.getFirst().capacity(), Bandwidth.ZERO);
        final var links = fabric.links().stream().map(link -> link.equals(cables.getFirst()) ? crossed : link).toList();
        final var rest = new PathFinder(new FabricSnapshot(2, fabric.switches(), fabric.ports(), links, List.of()));

        assertEquals(1, rest.shortest(first, second, 100).size());
    }

    @Test
    void reversedPathTakesTheSameCablesBack() {
        final var path = finder.shortest(first, third, 100).getLast();

        final var back = finder.reversed(path);

        assertEquals(third, back.source());
        assertEquals(first, back.destination());
        assertEquals(path.links().getFirst().source(), back.links().getLast().destination());
        assertEquals(path.links().getLast().destination(), back.links().getFirst().source());
        assertEquals(path, finder.reversed(back));
    }

    @Test
    void bothAnswersSayWhatIsDisjointAndWhatHasToBeShared() {
        final var answer = finder.find(first, third, 3, Unshared.LINK);

        assertTrue(answer.proven());
        assertEquals(2, answer.disjoint());
        assertEquals(3, answer.paths().size());
        assertEquals(List.of(2L, 2L, 2L), answer.costs());
        final var users = answer.paths().stream().map(path -> path.links().getFirst().toString())
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
        assertEquals(List.of(users.entrySet().stream().filter(use -> use.getValue() == 2).findFirst().orElseThrow()
            .getKey()), answer.shared());
        assertEquals(List.of(), finder.find(first, third, 2, Unshared.LINK).shared());
    }

    @Test
    void byNodeASwitchBetweenIsShared() {
        final var answer = finder.find(first, third, 2, Unshared.SWITCH);

        assertEquals(1, answer.disjoint());
        assertEquals(2, answer.paths().size());
        assertTrue(answer.shared().contains(second.toString()), answer.shared().toString());
        assertEquals(2, finder.find(first, second, 2, Unshared.SWITCH).disjoint());
    }

    @Test
    void switchWithoutLinksOrUnknownIsNotReached() {
        for (var target : List.of(alone, new SwitchId("openflow:99"))) {
            assertFalse(finder.connects(first, target));
            assertEquals(List.of(), finder.shortest(first, target, 5));
            assertEquals(Optional.empty(), finder.shortest(target, first, 0L));
            assertEquals(List.of(), finder.disjoint(first, target, 2, link -> 1));
            for (var unshared : Unshared.values()) {
                assertEquals(new PathFinder.Answer(0, List.of(), List.of(), List.of(), true),
                    finder.find(first, target, 2, unshared));
            }
        }
        assertTrue(finder.connects(alone, alone));
        assertTrue(finder.connects(first, third));
    }

    @Test
    void linkEndsCountAsSwitches() {
        final var gone = new FabricSnapshot(2, Set.of(first, second), fabric.ports(), fabric.links(), List.of());

        assertEquals(6, new PathFinder(gone).shortest(first, third, 100).size());
    }

    @Test
    void emptyFabricHasNoPaths() {
        assertFalse(new PathFinder(FabricSnapshot.EMPTY).connects(first, second));
    }

    private FabricSnapshot without(final Link lost) {
        return new FabricSnapshot(2, fabric.switches(), fabric.ports(), fabric.links().stream()
            .filter(link -> !link.equals(lost)).toList(), List.of());
    }
}
