// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which tasks of another worker must not be sent to now: those whose worker says so, and those to which a connection of
 * this worker is full. Storm asks the flags before it sends, so that executors wait that send to such a task, and the
 * others of the worker go on.
 *
 * <p>Thread-safe.
 */
final class TaskGates {
    private static final Logger LOG = LoggerFactory.getLogger(TaskGates.class);

    private final AtomicBoolean[] closed;
    private final Set<Integer> closedThere = new HashSet<>();
    private final Map<Integer, Integer> fullHere = new HashMap<>();

    /** Keeps Storm's own flags, by task: true where it must wait. */
    TaskGates(final AtomicBoolean[] closed) {
        this.closed = closed;
    }

    /** The other worker told which of its tasks can't keep up, and which can again; null for none. */
    synchronized void told(final Collection<Integer> overloaded, final Collection<Integer> relieved) {
        if (overloaded != null) {
            closedThere.addAll(overloaded);
            overloaded.forEach(this::set);
        }
        if (relieved != null) {
            closedThere.removeAll(new HashSet<>(relieved));
            relieved.forEach(this::set);
        }
    }

    /** A connection to a task is full. */
    synchronized void full(final int task) {
        fullHere.merge(task, 1, Integer::sum);
        set(task);
    }

    /** One that was full has room again. */
    synchronized void free(final int task) {
        fullHere.computeIfPresent(task, (number, connections) -> connections == 1 ? null : connections - 1);
        set(task);
    }

    private void set(final int task) {
        if (task < 0 || task >= closed.length) {
            LOG.error("back-pressure of task {}, which this topology does not have", task);
            return;
        }
        closed[task].set(closedThere.contains(task) || fullHere.containsKey(task));
    }
}
