// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.report.WorkerReport;
import io.sluice.engine.storm.report.WorkerReport.Sent;
import io.sluice.engine.storm.transport.FlowChannel.Progress;
import io.sluice.engine.storm.transport.KernelQueues.Waiting;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.storm.messaging.ConnectionWithStatus.Status;

/** Looks at all flows of a worker, at their ends in the worker and in its kernel. */
final class FlowSampler {
    private final String topology;
    private final Endpoint worker;
    private final Supplier<List<PeerConnection>> peers;
    private final Arrivals arrivals;
    private final IntUnaryOperator queues;

    /**
     * Samples nothing yet.
     *
     * @param worker host, in any words, and port where it listens
     * @param peers what it sends over; a pair of tasks that has moved is in several, and goes over one
     * @param queues tuples that wait for a task
     */
    FlowSampler(final String topology, final Endpoint worker, final Supplier<List<PeerConnection>> peers,
            final Arrivals arrivals, final IntUnaryOperator queues) {
        this.topology = topology;
        this.worker = worker;
        this.peers = peers;
        this.arrivals = arrivals;
        this.queues = queues;
    }

    WorkerReport sample() throws IOException {
        final var open = peers.get().stream().filter(peer -> peer.status() != Status.Closed).toList();
        final var flows = new LinkedHashMap<TaskPair, Progress>();
        open.forEach(peer -> peer.progress().forEach((pair, flow) -> flows.merge(pair, flow, Progress::orLater)));
        final var remotePorts = open.stream().map(PeerConnection::getPort).collect(Collectors.toSet());
        final var kernel = KernelQueues.read(each -> each == worker.port() || remotePorts.contains(each));
        open.forEach(peer -> peer.held(kernel));
        return new WorkerReport(topology, worker.toString(),
            flows.entrySet().stream().flatMap(flow -> sent(flow.getKey(), flow.getValue(), kernel).stream()).toList(),
            arrivals.queued(queues), unread(kernel));
    }

    private static Optional<Sent> sent(final TaskPair pair, final Progress flow,
            final Map<Connection, Waiting> kernel) {
        return flow.connection().map(connection -> {
            final long queued = flow.pendingBytes()
                + kernel.getOrDefault(connection, Waiting.NOTHING).unacknowledgedBytes();
            return new Sent(pair, connection, Math.max(0, flow.takenBytes() - queued), queued, flow.lostMessages());
        });
    }

    private Map<Connection, Long> unread(final Map<Connection, Waiting> kernel) {
        return kernel.entrySet().stream()
            .filter(socket -> socket.getKey().local().port() == worker.port() && socket.getValue().unreadBytes() > 0)
            .collect(Collectors.toMap(Map.Entry::getKey, socket -> socket.getValue().unreadBytes()));
    }
}
