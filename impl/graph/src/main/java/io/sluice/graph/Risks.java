// SPDX-License-Identifier: EPL-2.0
package io.sluice.graph;

import io.sluice.graph.DisjointAnswer.Kind;
import io.sluice.graph.SharedUses.Thing;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The shared risks of each link, numbered: groups first, then each link that is in no group. */
final class Risks {
    private final int groups;
    /** By arc, the same for both directions of a cable. */
    private final int[][] risksOfArc;
    private final int[] linkOfRisk;

    Risks(final Multigraph graph, final List<Set<Integer>> members) {
        groups = members.size();
        final var groupsOfLink = new IntStack[graph.arcCount()];
        Arrays.setAll(groupsOfLink, link -> new IntStack());
        for (int group = 0; group < groups; group++) {
            final int risk = group;
            members.get(group).stream().map(graph::link).distinct().forEach(link -> groupsOfLink[link].push(risk));
        }
        linkOfRisk = IntStream.range(0, graph.arcCount())
            .filter(arc -> graph.link(arc) == arc && groupsOfLink[arc].isEmpty()).toArray();
        for (int i = 0; i < linkOfRisk.length; i++) {
            groupsOfLink[linkOfRisk[i]].push(groups + i);
        }
        risksOfArc = new int[graph.arcCount()][];
        Arrays.setAll(risksOfArc, arc -> groupsOfLink[graph.link(arc)].toArray());
    }

    int count() {
        return groups + linkOfRisk.length;
    }

    /** Largest number of risks that a link has; 1 in a graph without links. */
    int mostOfLink() {
        return Arrays.stream(risksOfArc).mapToInt(risks -> risks.length).reduce(1, Math::max);
    }

    /** Number of risks of the link of {@code arc} that are {@code among} these. */
    int count(final int arc, final BitSet among) {
        int count = 0;
        for (final int risk : risksOfArc[arc]) {
            count += among.get(risk) ? 1 : 0;
        }
        return count;
    }

    /** Risks of {@code path}. */
    BitSet of(final ArcPath path) {
        final var risks = new BitSet(count());
        for (int i = 0; i < path.length(); i++) {
            for (final int risk : risksOfArc[path.arc(i)]) {
                risks.set(risk);
            }
        }
        return risks;
    }

    /** Risks of {@code path}, for {@link SharedUses#shared}. */
    Stream<Thing> things(final ArcPath path) {
        return of(path).stream().mapToObj(risk -> risk < groups ? new Thing(Kind.GROUP, risk)
            : new Thing(Kind.LINK, linkOfRisk[risk - groups]));
    }
}
