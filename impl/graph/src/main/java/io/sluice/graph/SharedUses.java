// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import io.sluice.graph.DisjointAnswer.Kind;
import io.sluice.graph.DisjointAnswer.Shared;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Counts what paths have in common. */
final class SharedUses {
    private static final Comparator<Thing> ORDER = Comparator.comparing(Thing::kind).thenComparingInt(Thing::id);

    /** Something that a path may use; a path that uses it several times names it once. */
    record Thing(Kind kind, int id) { }

    private SharedUses() {
        // functions only
    }

    /** Links of {@code path}. */
    static Stream<Thing> links(final Multigraph graph, final ArcPath path) {
        return IntStream.range(0, path.length()).mapToObj(i -> new Thing(Kind.LINK, graph.link(path.arc(i))));
    }

    /** Inner vertices of {@code path}, or its link if it has none. */
    static Stream<Thing> nodes(final Multigraph graph, final ArcPath path) {
        return path.length() == 1 ? links(graph, path)
            : IntStream.range(1, path.length()).mapToObj(i -> new Thing(Kind.VERTEX, graph.tail(path.arc(i))));
    }

    /** What two or more of {@code paths} use. */
    static List<Shared> shared(final List<ArcPath> paths, final Function<ArcPath, Stream<Thing>> things) {
        final var users = new TreeMap<Thing, Integer>(ORDER);
        paths.stream().flatMap(things).forEach(thing -> users.merge(thing, 1, Integer::sum));
        return users.entrySet().stream().filter(entry -> entry.getValue() > 1)
            .map(entry -> new Shared(entry.getKey().kind(), entry.getKey().id(), entry.getValue())).toList();
    }
}
