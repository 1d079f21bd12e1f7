// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.transport.FlowChannel.Progress;
import io.sluice.engine.storm.transport.KernelQueues.Waiting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that this worker sends to another: a connection for each pair of tasks, opened with their first message, and one
 * beside them, from the beginning on, for what the system sends and for what the other worker tells of its load and
 * back-pressure.
 */
final class PeerConnection extends ConnectionWithStatus {
    private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);
    /** So many waiting messages are a full load, as for Storm's own transport. */
    private static final double FULL_LOAD_MESSAGES = 1024;
    private static final long LEAST_LIMIT_BYTES = 65_536;

    private final Dialler dialler;
    private final TaskGates gates;
    private final Limits limits;
    private final FlowChannel control;
    private final Map<TaskPair, FlowChannel> flows = new ConcurrentHashMap<>();
    private volatile Map<Integer, Double> loads = Map.of();
    private volatile boolean closing;

    /** Bytes that may wait for one worker: senders are stopped above the one, let go at the other. */
    record Limits(long highBytes, long lowBytes) {
        Limits {
            if (lowBytes > highBytes) {
                throw new IllegalArgumentException(Config.STORM_MESSAGING_NETTY_BUFFER_LOW_WATERMARK + " is " + lowBytes
                    + ", above the " + highBytes + " of " + Config.STORM_MESSAGING_NETTY_BUFFER_HIGH_WATERMARK);
            }
        }
    }

    PeerConnection(final Dialler dialler, final TaskGates gates, final Limits limits, final Tidings tidings) {
        this.dialler = dialler;
        this.gates = gates;
        this.limits = limits;
        control = new FlowChannel("system", dialler, tidings.handler(gates, told -> loads = Map.copyOf(told)),
            new ControlValve());
    }

    @Override
    public Status status() {
        if (closing) {
            return Status.Closed;
        }
        return control.isUp() ? Status.Ready : Status.Connecting;
    }

    @Override
    public void send(final Iterator<TaskMessage> messages) {
        final var byPair = new LinkedHashMap<TaskPair, List<TaskMessage>>();
        messages.forEachRemaining(message ->
            byPair.computeIfAbsent(Frames.pair(message), pair -> new ArrayList<>()).add(message));
        byPair.forEach((pair, its) -> channel(pair).send(its));
    }

    /** What each pair of tasks has sent so far. */
    Map<TaskPair, Progress> progress() {
        return flows.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, flow -> flow.getValue().progress()));
    }

    /** Tells what the kernel holds for each connection. */
    void held(final Map<Connection, Waiting> kernel) {
        flows.values().forEach(flow -> flow.held(kernel));
    }

    /** Holds each pair of tasks to the rate of its meter, and those without one to none. */
    void pace(final MeterRates rates) {
        flows.forEach((pair, flow) -> flow.pace(rates.of(pair)));
    }

    @Override
    public Map<Integer, Load> getLoad(final Collection<Integer> tasks) {
        final var waiting = new HashMap<Integer, Long>();
        flows.forEach((pair, flow) -> waiting.merge(pair.destination(), flow.progress().pendingMessages(), Long::sum));
        final var known = loads;
        return tasks.stream().filter(known::containsKey).collect(Collectors.toMap(task -> task, task ->
            new Load(true, known.get(task),
                Math.min(waiting.getOrDefault(task, 0L), FULL_LOAD_MESSAGES) / FULL_LOAD_MESSAGES)));
    }

    @Override
    public int getPort() {
        return dialler.port();
    }

    /** Returns at once; what was taken is still sent. */
    @Override
    public void close() {
        if (!closing) {
            LOG.info("closing the connections to {}", dialler);
            closing = true;
            closed();
        }
    }

    /** Completes when all has been sent, or can't be any more. */
    CompletableFuture<Void> closed() {
        return CompletableFuture.allOf(Stream.concat(Stream.of(control), flows.values().stream())
            .map(flow -> flow.close().toCompletableFuture()).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void sendLoadMetrics(final Map<Integer, Double> taskToLoad) {
        throw new UnsupportedOperationException("loads are told by the end that receives");
    }

    @Override
    public void sendBackPressureStatus(final BackPressureStatus status) {
        throw new UnsupportedOperationException("back-pressure is told by the end that receives");
    }

    private FlowChannel channel(final TaskPair pair) {
        if (pair.source() == TaskPair.SYSTEM) {
            return control;
        }
        final var flow = flows.computeIfAbsent(pair, made -> new FlowChannel("flow " + made, dialler, Tidings.UNHEARD,
            new FlowValve(made.destination())));
        if (closing) {
            flow.close(); // it may have been made too late to be closed with the others
        }
        return flow;
    }

    /** The connections to a worker share what may wait for it. */
    private long share(final long bytes) {
        return Math.max(LEAST_LIMIT_BYTES, bytes / Math.max(1, flows.size()));
    }

    private final class FlowValve implements Valve {
        private final int task;

        FlowValve(final int task) {
            this.task = task;
        }

        @Override
        public long highBytes() {
            return share(limits.highBytes());
        }

        @Override
        public long lowBytes() {
            return share(limits.lowBytes());
        }

        @Override
        public void close() {
            gates.full(task);
        }

        @Override
        public void open() {
            gates.free(task);
        }
    }

    /** Measurements of the system are few, and nobody waits for them. */
    private static final class ControlValve implements Valve {
        @Override
        public long highBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public long lowBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public void close() {
            throw new IllegalStateException("there is no limit");
        }

        @Override
        public void open() {
            throw new IllegalStateException("there is no limit");
        }
    }
}
