// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.placement.FlowMap;
import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.WorkerReport;
import io.sluice.engine.storm.report.WorkerReport.Sent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What the workers of one topology told last, put together flow by flow. Thread-safe. */
final class FlowLedger {
    /** What a worker told before is not believed any more. */
    static final long FRESH_NS = 3_500_000_000L;

    private final Map<TaskPair, Told<Sent>> senders = new HashMap<>();
    private final Map<String, Told<WorkerReport>> workers = new HashMap<>();
    private Told<Map<TaskPair, Allocation>> allocations = new Told<>(Map.of(), 0);
    private FlowMap map;

    private record Told<T>(T what, long atNs) {
        boolean isFresh(final long nowNs) {
            return nowNs - atNs <= FRESH_NS;
        }
    }

    FlowLedger(final FlowMap map) {
        this.map = map;
    }

    /** The topology's placement may have changed. */
    synchronized void placed(final FlowMap latest) {
        map = latest;
        senders.keySet().retainAll(latest.flows().keySet());
    }

    synchronized FlowMap map() {
        return map;
    }

    /** A worker reports. Pairs that the placement does not know are left out, and those of the system are such. */
    synchronized void told(final WorkerReport report, final long nowNs) {
        workers.put(report.worker(), new Told<>(report, nowNs));
        for (var sent : report.sent()) {
            final var placed = map.flows().get(sent.pair());
            if (placed != null && placed.destinationPort() == sent.connection().remote().port()) {
                senders.put(sent.pair(), new Told<>(sent, nowNs));
            }
        }
    }

    /** The controller says what flows have, by name; those that are not placed are left out. */
    synchronized void allocated(final Map<String, Allocation> byName, final long nowNs) {
        final var found = new HashMap<TaskPair, Allocation>();
        map.flows().forEach((pair, flow) -> {
            if (byName.containsKey(flow.name())) {
                found.put(pair, byName.get(flow.name()));
            }
        });
        allocations = new Told<>(Map.copyOf(found), nowNs);
    }

    /** What the controller said of flows of late. */
    synchronized Map<TaskPair, Allocation> allocations(final long nowNs) {
        return allocations.isFresh(nowNs) ? allocations.what() : Map.of();
    }

    /** What is known of late of the meters of flows that begin at a worker. */
    synchronized MeterRates rates(final WorkerReport report, final long nowNs) {
        final var latest = allocations(nowNs);
        final var rates = new HashMap<TaskPair, Long>();
        report.sent().stream().map(Sent::pair).filter(latest::containsKey)
            .forEach(pair -> latest.get(pair).meterRate().ifPresent(rate -> rates.put(pair, rate)));
        return new MeterRates(rates);
    }

    /** Flows whose sender has told of late. */
    synchronized Map<TaskPair, FlowState> states(final long nowNs) {
        final var delivered = new HashMap<TaskPair, Long>();
        final var unread = new HashMap<Connection, Long>();
        workers.values().stream().filter(told -> told.isFresh(nowNs)).map(Told::what).forEach(report -> {
            report.delivered().forEach((pair, bytes) -> delivered.merge(pair, bytes, Long::sum));
            report.unread().forEach((socket, bytes) -> unread.put(socket.reversed(), bytes));
        });
        final var states = new HashMap<TaskPair, FlowState>();
        senders.forEach((pair, told) -> {
            if (told.isFresh(nowNs)) {
                final var sent = told.what();
                states.put(pair, new FlowState(sent.connection(), sent.passedBytes(), sent.queuedBytes(),
                    delivered.getOrDefault(pair, 0L) + unread.getOrDefault(sent.connection(), 0L),
                    sent.lostMessages(), told.atNs()));
            }
        });
        return states;
    }

    /** Workers that have told something, and nothing of late; they are forgotten with this. */
    synchronized Set<String> fallenSilent(final long nowNs) {
        final var silent = new TreeSet<String>();
        workers.forEach((worker, told) -> {
            if (!told.isFresh(nowNs)) {
                silent.add(worker);
            }
        });
        workers.keySet().removeAll(silent);
        return silent;
    }
}
