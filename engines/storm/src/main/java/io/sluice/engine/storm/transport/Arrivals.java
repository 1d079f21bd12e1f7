// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.TaskPair;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.metric.api.IMetric;

/**
 * Counts what is handed to the tasks of this worker, so that what waits in a task's queue can be attributed to those
 * who sent it: a queue is first in, first out, and the tuples in it are the latest that arrived. Those that came from
 * tasks of the same worker are not seen here; a queue that has such is attributed as if it had none.
 *
 * <p>Thread-safe.
 */
final class Arrivals implements IConnectionCallback, IMetric {
    private final IConnectionCallback next;
    private final Map<Integer, History> histories = new ConcurrentHashMap<>();

    /** Tells {@code next} of all that arrives. */
    Arrivals(final IConnectionCallback next) {
        this.next = next;
    }

    @Override
    public void recv(final List<TaskMessage> batch) {
        batch.forEach(message ->
            histories.computeIfAbsent(message.task(), task -> new History()).arrived(Frames.pair(message).source(),
                Frames.bytes(message)));
        next.recv(batch);
    }

    /** What Storm measures at what is wrapped here. */
    @Override
    public Object getValueAndReset() {
        return next instanceof IMetric metric ? metric.getValueAndReset() : null;
    }

    /**
     * Bytes that wait, by pair, if there are any.
     *
     * @param waiting tuples in the queue of a task
     */
    Map<TaskPair, Long> queued(final IntUnaryOperator waiting) {
        final var queued = new HashMap<TaskPair, Long>();
        histories.forEach((task, history) -> history.latest(waiting.applyAsInt(task)).forEach((source, bytes) -> {
            if (source != TaskPair.SYSTEM && bytes > 0) {
                queued.put(new TaskPair(source, task), bytes);
            }
        }));
        return queued;
    }

    /** What arrived at one task, the newest first, in steps between two readings. */
    private static final class History {
        private final Deque<Step> steps = new ArrayDeque<>();
        private Step current = new Step();

        synchronized void arrived(final int source, final int bytes) {
            current.tuples++;
            current.bytes.merge(source, (long) bytes, Long::sum);
        }

        /** Bytes of the latest tuples by source; what is older is forgotten. */
        synchronized Map<Integer, Long> latest(final int tuples) {
            if (current.tuples > 0) {
                steps.addFirst(current);
                current = new Step();
            }
            final var found = new HashMap<Integer, Long>();
            long left = tuples;
            for (Iterator<Step> each = steps.iterator(); each.hasNext();) {
                final var step = each.next();
                if (left == 0) {
                    each.remove();
                    continue;
                }
                final long part = Math.min(left, step.tuples);
                step.bytes.forEach((source, bytes) -> found.merge(source, bytes * part / step.tuples, Long::sum));
                left -= part;
            }
            return found;
        }
    }

    private static final class Step {
        private final Map<Integer, Long> bytes = new HashMap<>();
        private long tuples;
    }
}
