// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.graph.DisjointAnswer.Found;
import io.sluice.graph.DisjointAnswer.Kind;
import io.sluice.graph.DisjointAnswer.Shared;
import io.sluice.graph.DisjointAnswer.Unreachable;
import io.sluice.graph.Disjointness.ByGroup;
import io.sluice.graph.Disjointness.ByLink;
import io.sluice.graph.Disjointness.ByNode;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DisjointPathsTest {
    private static final ByLink BY_LINK = new ByLink();
    private static final ByNode BY_NODE = new ByNode();

    private static Found find(final Multigraph graph, final Disjointness disjointness, final int source,
            final int target, final int k) {
        return (Found) new DisjointPaths(graph).find(disjointness, source, target, k);
    }

    private static List<List<Integer>> arcs(final List<ArcPath> paths) {
        return paths.stream().map(path -> Arrays.stream(path.arcs()).boxed().toList()).toList();
    }

    @Test
    void theShortestPathIsGivenUpWhereItIsATrap() {
        final var graph = Multigraph.builder(4);
        final int s1 = graph.cable(0, 1, 1);
        final int middle = graph.cable(1, 2, 1);
        final int t2 = graph.cable(2, 3, 1);
        final int s2 = graph.cable(0, 2, 10);
        final int t1 = graph.cable(1, 3, 10);

        final var found = find(graph.build(), BY_LINK, 0, 3, 2);

        assertEquals(List.of(List.of(s1, t1), List.of(s2, t2)), arcs(found.disjoint()));
        assertEquals(found.disjoint(), found.leastShared());
        assertEquals(List.of(), found.shared());
        assertTrue(found.disjoint().stream().noneMatch(path -> arcs(List.of(path)).get(0).contains(middle)));
    }

    @Test
    void parallelCablesAreDistinct() {
        final var graph = Multigraph.builder(2);
        final int dear = graph.cable(0, 1, 5);
        final int cheap = graph.cable(0, 1, 3);

        assertEquals(List.of(List.of(cheap), List.of(dear)), arcs(find(graph.build(), BY_LINK, 0, 1, 2).disjoint()));
        assertEquals(List.of(List.of(cheap), List.of(dear)), arcs(find(graph.build(), BY_NODE, 0, 1, 2).disjoint()));
    }

    @Test
    void theAnswerTellsWhatThreePathsOverOneBridgeShare() {
        final var graph = Multigraph.builder(3);
        graph.cable(0, 1, 1);
        graph.cable(0, 1, 2);
        final int bridge = graph.cable(1, 2, 4);

        final var found = find(graph.build(), BY_LINK, 0, 2, 3);

        assertEquals(List.of(List.of(0, bridge)), arcs(found.disjoint()));
        assertEquals(List.of(List.of(0, bridge), List.of(0, bridge), List.of(2, bridge)), arcs(found.leastShared()));
        assertEquals(List.of(new Shared(Kind.LINK, 0, 2), new Shared(Kind.LINK, bridge, 3)), found.shared());
    }

    @Test
    void aDirectLinkCountsLikeANode() {
        final var graph = Multigraph.builder(3);
        final int direct = graph.cable(0, 2, 1);
        final int first = graph.cable(0, 1, 5);
        final int second = graph.cable(1, 2, 5);
        graph.cable(0, 1, 9);

        final var found = find(graph.build(), BY_NODE, 0, 2, 3);

        assertEquals(List.of(List.of(direct), List.of(first, second)), arcs(found.disjoint()));
        assertEquals(List.of(new Shared(Kind.LINK, direct, 2)), found.shared());
    }

    @Test
    void aSharedNodeIsNamed() {
        final var graph = Multigraph.builder(3);
        graph.cable(0, 1, 1);
        graph.cable(0, 1, 1);
        graph.cable(1, 2, 1);
        graph.cable(1, 2, 1);

        assertEquals(List.of(new Shared(Kind.VERTEX, 1, 2)), find(graph.build(), BY_NODE, 0, 2, 2).shared());
    }

    @Test
    void aCableIsNotUsedInBothDirections() {
        final var graph = Multigraph.builder(4);
        graph.arc(0, 1, 0);
        graph.cable(1, 2, 0);
        graph.arc(2, 3, 0);
        graph.arc(0, 2, 0);
        graph.arc(1, 3, 0);

        final var found = find(graph.build(), BY_LINK, 0, 3, 2);

        assertEquals(2, found.disjoint().size());
        assertEquals(4, found.disjoint().stream().mapToInt(ArcPath::length).sum());
    }

    @Test
    void aCircleThatCostsNothingIsLeftOut() {
        final var graph = Multigraph.builder(4);
        graph.arc(2, 1, 0);
        graph.arc(1, 2, 0);
        final int first = graph.arc(0, 1, 0);
        final int firstEnd = graph.arc(1, 3, 1);
        final int second = graph.arc(0, 2, 1);
        final int secondEnd = graph.arc(2, 3, 0);

        assertEquals(List.of(List.of(first, firstEnd), List.of(second, secondEnd)),
            arcs(find(graph.build(), BY_LINK, 0, 3, 2).disjoint()));
    }

    @Test
    void pathsBeginAndEndInDeadEndsAndPassNone() {
        final var graph = Multigraph.builder(8);
        final int up = graph.cable(0, 1, 1);
        final int up2 = graph.cable(1, 2, 1);
        final int across = graph.cable(2, 3, 1);
        final int down = graph.cable(3, 4, 1);
        graph.cable(2, 5, 1);
        graph.cable(5, 3, 1);
        graph.cable(2, 6, 0);
        graph.cable(6, 7, 0);
        final var finder = new DisjointPaths(graph.build());

        assertEquals(List.of(List.of(up, up2, across, down)),
            arcs(((Found) finder.find(BY_LINK, 0, 4, 2)).disjoint()));
        assertEquals(2, ((Found) finder.find(BY_LINK, 2, 3, 2)).disjoint().size());
        assertEquals(1, ((Found) finder.find(BY_NODE, 0, 7, 1)).disjoint().size());
    }

    @Test
    void pathsInATreeAreFound() {
        final var graph = Multigraph.builder(5);
        graph.cable(0, 1, 1);
        graph.cable(1, 2, 1);
        graph.cable(1, 3, 1);
        final var finder = new DisjointPaths(graph.build());

        assertEquals(List.of(List.of(0, 2)), arcs(((Found) finder.find(BY_LINK, 0, 2, 1)).disjoint()));
        assertEquals(List.of(List.of(3, 4)), arcs(((Found) finder.find(BY_NODE, 2, 3, 1)).disjoint()));
        assertEquals(new Unreachable(0, 4), finder.find(BY_LINK, 0, 4, 1));
    }

    @Test
    void anArcCanNotBeFollowedBackwards() {
        final var graph = Multigraph.builder(2);
        graph.arc(0, 1, 1);

        for (final var disjointness : List.of(BY_LINK, BY_NODE, new ByGroup(List.of()))) {
            assertEquals(new Unreachable(1, 0), new DisjointPaths(graph.build()).find(disjointness, 1, 0, 2));
        }
    }

    @Test
    void aGroupRunsThroughBothOtherwiseDisjointPaths() {
        final var graph = Multigraph.builder(5);
        final int first = graph.cable(0, 1, 1);
        graph.cable(1, 4, 1);
        final int second = graph.cable(0, 2, 1);
        graph.cable(2, 4, 1);
        final int detour = graph.cable(0, 3, 9);
        final int detourEnd = graph.cable(3, 4, 9);
        final var duct = new ByGroup(List.of(Set.of(first, second + 1)));

        final var two = find(graph.build(), duct, 0, 4, 2);
        final var three = find(graph.build(), duct, 0, 4, 3);

        assertEquals(List.of(List.of(0, 2), List.of(detour, detourEnd)), arcs(two.disjoint()));
        assertEquals(two.disjoint(), three.disjoint());
        assertEquals(List.of(new Shared(Kind.GROUP, 0, 2)), three.shared());
        assertTrue(two.proven() && three.proven());
    }

    @Test
    void costsWhoseSumsWouldRunOverAreRefused() {
        final var graph = Multigraph.builder(2);
        graph.cable(0, 1, 1L << 52);
        final var finder = new DisjointPaths(graph.build());

        assertEquals(2, ((Found) finder.find(BY_LINK, 0, 1, 2)).leastShared().size());
        assertThrows(IllegalArgumentException.class, () -> finder.find(BY_LINK, 0, 1, 3));
        assertThrows(IllegalArgumentException.class,
            () -> finder.find(new ByGroup(List.of(Set.of(0), Set.of(0))), 0, 1, 2));
    }

    @Test
    void aQuestionOutsideTheGraphIsRefused() {
        final var graph = Multigraph.builder(2);
        graph.cable(0, 1, 1);
        final var finder = new DisjointPaths(graph.build());

        assertThrows(IllegalArgumentException.class, () -> finder.find(BY_LINK, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> finder.find(BY_LINK, 0, 1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> finder.find(BY_LINK, 0, 2, 1));
        assertThrows(IndexOutOfBoundsException.class,
            () -> finder.find(new ByGroup(List.of(Set.of(7))), 0, 1, 1));
    }
}
