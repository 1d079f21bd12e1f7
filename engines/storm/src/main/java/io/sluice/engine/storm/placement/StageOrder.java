// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

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
    private final Map<String, Integer> stage = new HashMap<>();

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
            stage.put(next, 1 + sendersTo.get(next).stream().mapToInt(name -> stage.getOrDefault(name, -1)).max()
                .orElse(-1));
        }
    }

    /** Components that send to each component. */
    Map<String, Set<String>> sendersTo() {
        return sendersTo;
    }

    /** How many components are before this one, on the longest way from a source. */
    int stage(final String component) {
        return stage.get(component);
    }

    /** Stage by stage, by name within one; components of the system last. */
    Comparator<String> order() {
        return Comparator.<String>comparingInt(name -> rank.getOrDefault(name, Integer.MAX_VALUE))
            .thenComparing(Comparator.naturalOrder());
    }

    private static Set<String> senders(final ComponentCommon component) {
        return component.get_inputs().keySet().stream().map(stream -> stream.get_componentId())
            .collect(Collectors.toCollection(TreeSet::new));
    }
}
