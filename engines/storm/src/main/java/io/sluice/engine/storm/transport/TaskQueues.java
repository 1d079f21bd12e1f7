// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.apache.storm.metrics2.StormMetricRegistry;

/** Tuples that wait for a task, as Storm measures them: in its queue, and in what holds the overflow of that. */
final class TaskQueues implements IntUnaryOperator {
    private static final String QUEUE = "receive-queue-population";
    private static final String OVERFLOW = "receive-queue-overflow";

    private final StormMetricRegistry metrics;

    TaskQueues(final StormMetricRegistry metrics) {
        this.metrics = metrics;
    }

    @Override
    public int applyAsInt(final int task) {
        final var gauges = metrics.getTaskGauges(task);
        return value(gauges, QUEUE) + value(gauges, OVERFLOW);
    }

    @SuppressWarnings("rawtypes")
    private static int value(final Map<String, com.codahale.metrics.Gauge> gauges, final String name) {
        final var gauge = gauges.get(name);
        return gauge != null && gauge.getValue() instanceof Number number ? number.intValue() : 0;
    }
}
