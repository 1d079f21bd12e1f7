// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MultigraphTest {
    private final Multigraph.Builder builder = Multigraph.builder(3);

    @Test
    void parallelArcsAndTheDirectionsOfACableAreDistinct() {
        final int lone = builder.arc(0, 1, 7);
        final int first = builder.cable(0, 1, 2, 3);
        final int second = builder.cable(1, 0, 5);
        final var graph = builder.build();

        assertArrayEquals(new int[] {lone, first, second + 1}, outArcs(graph, 0));
        assertArrayEquals(new int[] {first + 1, second}, inArcs(graph, 0));
        assertEquals(Multigraph.NONE, graph.twin(lone));
        assertEquals(first + 1, graph.twin(first));
        assertEquals(first, graph.link(first + 1));
        assertEquals(lone, graph.link(lone));
        assertEquals(3, graph.cost(first + 1));
        assertEquals(1, graph.tail(second));
        assertEquals(0, graph.head(second));
        assertEquals(0, graph.outDegree(2));
    }

    @Test
    void aGraphDoesNotChangeWithItsBuilderOrItsCosts() {
        builder.arc(0, 1, 7);
        final var graph = builder.build();
        final var costs = new long[] {9};
        final var dearer = graph.withCosts(costs);
        builder.arc(0, 2, 1);
        costs[0] = 1;

        assertEquals(1, graph.arcCount());
        assertEquals(7, graph.cost(0));
        assertEquals(9, dearer.cost(0));
        assertEquals(1, dearer.head(0));
    }

    @Test
    void manyArcsFit() {
        IntStream.range(0, 100).forEach(i -> builder.arc(i % 3, (i + 1) % 3, i));

        assertEquals(34, builder.build().outDegree(0));
    }

    @Test
    void whatIsOutOfRangeIsRefused() {
        final var graph = Multigraph.builder(3).build();
        assertThrows(IllegalArgumentException.class, () -> Multigraph.builder(-1));
        assertThrows(IllegalArgumentException.class, () -> builder.arc(0, 3, 1));
        assertThrows(IllegalArgumentException.class, () -> builder.arc(-1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> graph.withCosts(new long[1]));
        assertThrows(IndexOutOfBoundsException.class, () -> graph.outArc(0, 0));

        builder.arc(0, 1, 1L << 56);
        assertThrows(IllegalArgumentException.class, builder::build);
        assertThrows(IllegalArgumentException.class, () -> {
            final var negative = Multigraph.builder(1);
            negative.arc(0, 0, -1);
            negative.build();
        });
    }

    @Test
    void aPathIsAValueThatHangsTogether() {
        builder.cable(0, 1, 4);
        builder.cable(1, 2, 5);
        final var graph = builder.build();

        final var path = ArcPath.of(graph, 0, 2);

        assertEquals(9, path.cost());
        assertEquals(2, path.length());
        assertEquals(path, ArcPath.of(graph, 0, 2));
        assertEquals(path.hashCode(), ArcPath.of(graph, 0, 2).hashCode());
        assertNotEquals(path, ArcPath.of(graph, 0));
        assertEquals("[0, 2] cost 9", path.toString());
        assertThrows(IllegalArgumentException.class, () -> ArcPath.of(graph, 2, 0));
    }

    private static int[] outArcs(final Multigraph graph, final int vertex) {
        return IntStream.range(0, graph.outDegree(vertex)).map(i -> graph.outArc(vertex, i)).toArray();
    }

    private static int[] inArcs(final Multigraph graph, final int vertex) {
        return IntStream.range(0, graph.inDegree(vertex)).map(i -> graph.inArc(vertex, i)).toArray();
    }
}
