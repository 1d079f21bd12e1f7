// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.StateSetSnapshot;
import io.prometheus.metrics.model.snapshots.StateSetSnapshot.StateSetDataPointSnapshot;
import java.util.Arrays;
import java.util.List;

/** What Prometheus is told of a marked node, and how the node's values become samples. */
sealed interface Metric {
    /**
     * A value as it stands in the datastore.
     *
     * @param value a {@link Number}, a {@link Boolean} or the name of an enumeration's value
     */
    record Sample(Labels labels, Object value) { }

    MetricMetadata metadata();

    /** All samples of one scrape. */
    MetricSnapshot snapshot(List<Sample> samples);

    /** Only grows. */
    record Counter(MetricMetadata metadata, Scale scale) implements Metric {
        @Override
        public MetricSnapshot snapshot(final List<Sample> samples) {
            return new CounterSnapshot(metadata, samples.stream()
                .map(sample -> new CounterDataPointSnapshot(scale.number(sample.value()), sample.labels(), null, 0))
                .toList());
        }
    }

    /** Goes up and down; a boolean is 0 or 1. */
    record Gauge(MetricMetadata metadata, Scale scale) implements Metric {
        @Override
        public MetricSnapshot snapshot(final List<Sample> samples) {
            return new GaugeSnapshot(metadata, samples.stream()
                .map(sample -> new GaugeDataPointSnapshot(scale.number(sample.value()), sample.labels(), null))
                .toList());
        }
    }

    /** One of several states: each is a series of its own, 1 for the present one and 0 for the others. */
    record State(MetricMetadata metadata, List<String> states) implements Metric {
        @Override
        public MetricSnapshot snapshot(final List<Sample> samples) {
            return new StateSetSnapshot(metadata, samples.stream().map(this::point).toList());
        }

        private StateSetDataPointSnapshot point(final Sample sample) {
            final String[] names = states.toArray(String[]::new);
            final boolean[] values = new boolean[names.length];
            values[Arrays.asList(names).indexOf(sample.value())] = true;
            return new StateSetDataPointSnapshot(names, values, sample.labels());
        }
    }
}
