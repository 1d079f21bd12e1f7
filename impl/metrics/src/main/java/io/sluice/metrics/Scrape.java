// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.DataContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.LeafNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** Finds the values of all metrics in what the datastore holds. A leaf that is not there has no sample. */
final class Scrape {
    private final Map<Metric, List<Metric.Sample>> samples = new IdentityHashMap<>();

    private Scrape() {
        // one for each scrape
    }

    /**
     * Collects the samples.
     *
     * @param parts where the metrics are
     * @param state the top-level nodes that the datastore holds
     */
    static MetricSnapshots of(final List<Part> parts, final Map<NodeIdentifier, NormalizedNode> state) {
        final var scrape = new Scrape();
        parts.forEach(part -> scrape.take(part, Optional.ofNullable(state.get(part.id())), Labels.EMPTY));
        return new MetricSnapshots(scrape.samples.entrySet().stream()
            .map(entry -> entry.getKey().snapshot(entry.getValue())).toList());
    }

    private void take(final Part part, final Optional<? extends NormalizedNode> node, final Labels labels) {
        switch (part) {
            case Part.Value value -> node.map(LeafNode.class::cast)
                .ifPresent(leaf -> add(value.metric(), labels, leaf.body()));
            case Part.Group group -> takeAll(group.parts(), node.map(DataContainerNode.class::cast), labels);
            case Part.Entries list -> {
                final Collection<MapEntryNode> entries = node.map(MapNode.class::cast).map(MapNode::body)
                    .orElse(List.of());
                list.count().ifPresent(metric -> add(metric, labels, entries.size()));
                entries.forEach(entry -> takeAll(list.parts(), Optional.of(entry), extend(labels, list, entry)));
            }
        }
    }

    private void takeAll(final List<Part> parts, final Optional<? extends DataContainerNode> node,
            final Labels labels) {
        parts.forEach(part -> take(part, node.flatMap(data -> data.findChildByArg(part.id())), labels));
    }

    private void add(final Metric metric, final Labels labels, final Object value) {
        samples.computeIfAbsent(metric, first -> new ArrayList<>()).add(new Metric.Sample(labels, value));
    }

    private static Labels extend(final Labels labels, final Part.Entries list, final MapEntryNode entry) {
        final var names = new ArrayList<String>();
        final var values = new ArrayList<String>();
        list.labels().forEach((key, label) -> {
            names.add(label);
            values.add(entry.name().getValue(key).toString());
        });
        return labels.merge(Labels.of(names, values));
    }
}
