// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.report;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.Json;
import io.sluice.engine.storm.TaskPair;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker tells each second of the flows that begin and end at it. The kernel of the receiver knows connections
 * only, so that whoever has the reports of both ends joins them.
 *
 * @param topology Storm's id of the topology
 * @param worker host and port of the worker, as Storm knows it
 * @param sent flows that begin here and have a connection
 * @param delivered bytes, by flow, that the receiving task has not looked at yet, if there are any
 * @param unread bytes, by connection as seen from here, that the kernel holds for this worker, if there are any
 */
public record WorkerReport(String topology, String worker, List<Sent> sent, Map<TaskPair, Long> delivered,
        Map<Connection, Long> unread) {
    static final String SOURCE = "source";
    static final String DESTINATION = "destination";

    private static final String TOPOLOGY = "topology";
    private static final String WORKER = "worker";
    private static final String SENT = "sent";
    private static final String DELIVERED = "delivered";
    private static final String UNREAD = "unread";
    private static final String LOCAL = "local";
    private static final String REMOTE = "remote";
    private static final String PASSED = "passed";
    private static final String QUEUED = "queued";
    private static final String LOST = "lost";

    /**
     * A flow at its sender.
     *
     * @param pair its tasks
     * @param connection over which it goes
     * @param passedBytes acknowledged by the other end since the worker began; when a connection breaks, what its
     *     kernel held when the worker reported last counts as lost, and what it took since then as acknowledged
     * @param queuedBytes that wait: in the worker, and in its kernel until they are acknowledged
     * @param lostMessages dropped since the worker began, without what a kernel held when a connection broke
     */
    public record Sent(TaskPair pair, Connection connection, long passedBytes, long queuedBytes, long lostMessages) { }

    public WorkerReport {
        sent = List.copyOf(sent);
        delivered = Map.copyOf(delivered);
        unread = Map.copyOf(unread);
    }

    /** The report as it is sent. */
    public String toJson() {
        return Json.write(object(TOPOLOGY, topology, WORKER, worker,
            SENT, sent.stream().map(WorkerReport::write).toList(),
            DELIVERED, delivered.entrySet().stream().map(queue -> object(SOURCE, queue.getKey().source(),
                DESTINATION, queue.getKey().destination(), QUEUED, queue.getValue())).toList(),
            UNREAD, unread.entrySet().stream().map(queue -> object(LOCAL, queue.getKey().local().toString(),
                REMOTE, queue.getKey().remote().toString(), QUEUED, queue.getValue())).toList()));
    }

    /**
     * Reads a report.
     *
     * @throws IllegalArgumentException that names what is missing or wrong
     */
    public static WorkerReport parse(final String json) {
        final var object = Json.read(json);
        final var delivered = new LinkedHashMap<TaskPair, Long>();
        Json.objects(object, DELIVERED).forEach(queue -> delivered.put(pair(queue), Json.number(queue, QUEUED, 0)));
        final var unread = new LinkedHashMap<Connection, Long>();
        Json.objects(object, UNREAD).forEach(queue -> unread.put(connection(queue), Json.number(queue, QUEUED, 0)));
        return new WorkerReport(Json.text(object, TOPOLOGY), Json.text(object, WORKER),
            Json.objects(object, SENT).stream().map(WorkerReport::sent).toList(), delivered, unread);
    }

    private static Map<String, Object> write(final Sent sent) {
        return object(SOURCE, sent.pair.source(), DESTINATION, sent.pair.destination(),
            LOCAL, sent.connection.local().toString(), REMOTE, sent.connection.remote().toString(),
            PASSED, sent.passedBytes, QUEUED, sent.queuedBytes, LOST, sent.lostMessages);
    }

    private static Sent sent(final Map<?, ?> object) {
        return new Sent(pair(object), connection(object), Json.number(object, PASSED, 0),
            Json.number(object, QUEUED, 0), Json.number(object, LOST, 0));
    }

    static TaskPair pair(final Map<?, ?> object) {
        return new TaskPair(Json.number(object, SOURCE, 0, Integer.MAX_VALUE),
            Json.number(object, DESTINATION, 0, Integer.MAX_VALUE));
    }

    private static Connection connection(final Map<?, ?> object) {
        return new Connection(Endpoint.parse(Json.text(object, LOCAL)), Endpoint.parse(Json.text(object, REMOTE)));
    }

    static Map<String, Object> object(final Object... namesAndValues) {
        final var made = new LinkedHashMap<String, Object>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            made.put((String) namesAndValues[at], namesAndValues[at + 1]);
        }
        return made;
    }
}
