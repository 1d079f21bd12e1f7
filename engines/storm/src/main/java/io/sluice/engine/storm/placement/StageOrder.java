// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;

/** Components of a topology in the order of its stages, and who sends to whom. */
final class StageOrder {
    private final Map<String, Set<String>> sendersTo = new TreeMap<>();
    private final Map<String, Integer> rank = new HashMap<>();
    private final Map<String, Integer> stages = new HashMap<>();

    StageOrder(final StormTopology topology) {
        topology.get_spouts().forEach((name, spout) -> sendersTo.put(name, senders(spout.get_common())));
        topology.get_bolts().forEach((name, bolt) -> sendersTo.put(name, senders(bolt.get_common())));
        final var left = new TreeSet<>(sendersTo.keySet());
        while (!left.isEmpty()) {
            // of a circle the first by name goes first
            final String next = left.stream().filter(name -> sendersTo.get(name).stream().noneMatch(left::contains))
                .findFirst().orElseGet(left::first);
            left.remove(next);
            rank.put(next, rank.size());
        }
    }

    /** Components that send to each component. */
    Map<String, Set<String>> sendersTo() {
        return sendersTo;
    }

    /** How many components are before this one, on the longest way from a source; those of a circle count as one. */
    int stage(final String component) {
        final Integer known = stages.get(component);
        if (known != null) {
            return known;
        }
        final var circle = before(component);
        circle.removeIf(name -> !before(name).contains(component));
        circle.add(component);
        final int stage = circle.stream().flatMap(name -> sendersOf(name).stream())
            .filter(name -> !circle.contains(name)).mapToInt(name -> 1 + stage(name)).max().orElse(0);
        stages.put(component, stage);
        return stage;
    }

    /** All components from which there is a way to this one; itself if it is in a circle. */
    private Set<String> before(final String component) {
        final var before = new TreeSet<String>();
        final var toVisit = new ArrayDeque<>(sendersOf(component));
        while (!toVisit.isEmpty()) {
            final String next = toVisit.remove();
            if (before.add(next)) {
                toVisit.addAll(sendersOf(next));
            }
        }
        return before;
    }

    /** Components of the system have none. */
    private Set<String> sendersOf(final String component) {
        return sendersTo.getOrDefault(component, Set.of());
    }

    /** Senders before receivers; components of the system last. */
    Comparator<String> order() {
        return Comparator.<String>comparingInt(name -> rank.getOrDefault(name, Integer.MAX_VALUE))
            .thenComparing(Comparator.naturalOrder());
    }

    private static Set<String> senders(final ComponentCommon component) {
        return component.get_inputs().keySet().stream().map(stream -> stream.get_componentId())
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
