// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.Json;
import io.sluice.engine.storm.Settings;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.placement.FlowMap;
import io.sluice.engine.storm.placement.FlowMap.PlacedFlow;
import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.WorkerReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the controller informed: the flows of all topologies are in its configuration, each topology as an application,
 * and each interval it is told what they did. Each second it is asked what their meters let through, and which of them
 * it can't hold to their rates; if that lasts, there is a line in the log.
 *
 * <p>In each interval, and at once when a flow has another connection than before, the controller's configuration is
 * read and what differs is changed, so that nothing needs to be known of what a controller or Nimbus forgot. Weights,
 * guarantees and limits that an operator gave to flows stay, and so do flows that an operator added, whose names no
 * topology's flows have. Flows that are not placed any more have nothing to do, and are removed once their topology has
 * all its places. A topology that is gone is removed; with its application, if that has no other flows.
 *
 * <p>{@link #tick} is called each second on one thread; all else on any.
 */
public final class Registrar {
    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);
    private static final long LEAST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_PAUSE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long TICK_SLACK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** After so many intervals without a report what was before is too old to say something of. */
    private static final int MOST_INTERVALS = 3;
    /** Flows that are pending for so many intervals, and so long at least, are told of in the log. */
    private static final int PENDING_INTERVALS = 3;
    private static final Duration LEAST_PENDING = Duration.ofSeconds(10);

    private final Settings settings;
    private final RestconfController controller;
    private final LongSupplier nowNs;
    private final Map<String, FlowLedger> ledgers = new ConcurrentHashMap<>();
    private final Map<String, Application> applications = new TreeMap<>();
    private volatile long placedNs;

    /** What the controller was told of a topology. */
    private static final class Application {
        private final String name;
        private final PendingWatch pending;
        private Map<String, Registration> registered = Map.of();
        private Map<TaskPair, FlowState> before = Map.of();
        private long reportedNs;
        private String trouble = "";
        private long pauseNs;
        private long notBeforeNs;

        Application(final String name, final Duration patience, final long nowNs) {
            this.name = name;
            pending = new PendingWatch(name, patience.toNanos(), LOG::warn, LOG::info);
            reportedNs = nowNs;
            notBeforeNs = nowNs;
        }
    }

    /**
     * Tells nothing before {@link #tick}.
     *
     * @param nowNs a clock that only goes forward
     */
    public Registrar(final Settings settings, final LongSupplier nowNs) {
        this.settings = settings;
        this.nowNs = nowNs;
        controller = new RestconfController(settings.access());
    }

    /** These topologies there are, and no others. Of two with one name there the later by id is left out. */
    public void placed(final Collection<FlowMap> maps) {
        final var byName = new TreeMap<String, FlowMap>();
        for (var map : maps) {
            final var other = byName.merge(map.application(), map,
                (one, another) -> one.topology().compareTo(another.topology()) <= 0 ? one : another);
            if (other != map) {
                LOG.warn("{} is not told to the controller: {} is application {} there, too", map.topology(),
                    other.topology(), map.application());
            }
        }
        final var latest = byName.values().stream().collect(Collectors.toMap(FlowMap::topology, Function.identity()));
        ledgers.keySet().retainAll(latest.keySet());
        latest.forEach((id, map) -> ledgers.computeIfAbsent(id, made -> new FlowLedger(map)).placed(map));
        placedNs = nowNs.getAsLong();
    }

    /** Takes a worker's report, and answers with its meters; empty if this Nimbus has not placed its topology. */
    public Optional<MeterRates> take(final WorkerReport report) {
        final var ledger = ledgers.get(report.topology());
        if (ledger == null || !leads()) {
            return Optional.empty();
        }
        final long now = nowNs.getAsLong();
        ledger.told(report, now);
        return Optional.of(ledger.rates(report, now));
    }

    /** The map of flows: for each topology its flows, with connections and meters as far as they are known. */
    public String flows() {
        final var topologies = new TreeMap<String, Object>();
        ledgers.forEach((id, ledger) -> {
            final long now = nowNs.getAsLong();
            final var states = ledger.states(now);
            final var allocations = ledger.allocations(now);
            topologies.put(id, Map.of("application", ledger.map().application(),
                "flows", ledger.map().flows().entrySet().stream().map(flow -> described(flow.getKey(),
                    flow.getValue(), states.get(flow.getKey()), allocations.get(flow.getKey()))).toList()));
        });
        return Json.write(topologies);
    }

    /** Does what is due; for a topology with which something failed not before a pause, longer each time. */
    public void tick() throws InterruptedException {
        if (!leads()) {
            return;
        }
        final long now = nowNs.getAsLong();
        ledgers.forEach((id, ledger) -> {
            applications.computeIfAbsent(id, made -> new Application(ledger.map().application(), patience(), now));
            ledger.fallenSilent(now).forEach(worker ->
                LOG.warn("worker {} of {} is silent: its flows are not reported", worker, id));
        });
        for (var id : Set.copyOf(applications.keySet())) {
            final var application = applications.get(id);
            if (now >= application.notBeforeNs) {
                try {
                    tell(id, application, now);
                    well(application);
                } catch (IOException e) {
                    pause(application, nowNs.getAsLong(), e.getMessage());
                }
            }
        }
    }

    /** How long flows may be pending before an operator is told. */
    private Duration patience() {
        final var intervals = settings.interval().multipliedBy(PENDING_INTERVALS);
        return intervals.compareTo(LEAST_PENDING) < 0 ? LEAST_PENDING : intervals;
    }

    /** Only the Nimbus that leads places topologies, and it does so all the time. */
    private boolean leads() {
        return nowNs.getAsLong() - placedNs <= settings.placementAge().toNanos();
    }

    private void tell(final String id, final Application application, final long now)
            throws IOException, InterruptedException {
        final var ledger = ledgers.get(id);
        if (ledger == null) {
            end(id, application);
        } else {
            tell(application, ledger, now);
        }
    }

    private void tell(final Application application, final FlowLedger ledger, final long now)
            throws IOException, InterruptedException {
        final var map = ledger.map();
        final var states = ledger.states(now);
        states.keySet().retainAll(map.flows().keySet()); // tasks may have been placed anew meanwhile
        final var wanted = new TreeMap<String, Registration>();
        states.forEach((pair, state) -> wanted.put(map.flows().get(pair).name(),
            Registration.of(state.connection(), map.flows().get(pair).stage())));
        final boolean due = now - application.reportedNs >= settings.interval().toNanos() - TICK_SLACK_NS;
        final Set<String> homeless = due || !wanted.equals(application.registered)
            ? register(application, wanted, map) : Set.of();
        if (due) {
            report(application, map, states, homeless, now);
        }
        if (!wanted.isEmpty()) {
            ask(application, ledger);
        }
    }

    /**
     * A flow that nobody tells of now stays as long as it is placed: its worker may only be silent. While something has
     * no place, all stay: what an operator gave to flows is theirs when they are placed again.
     *
     * @return the names of flows that stay and are not placed
     */
    private Set<String> register(final Application application, final Map<String, Registration> wanted,
            final FlowMap map) throws IOException, InterruptedException {
        final var there = controller.flows(application.name);
        final var homeless = own(there.keySet());
        map.flows().values().forEach(flow -> homeless.remove(flow.name()));
        if (map.whole()) {
            remove(application, homeless);
            homeless.clear();
        }
        final var different = new TreeMap<String, Registration>();
        wanted.forEach((name, flow) -> {
            if (there.get(name) == null || !there.get(name).filter(flow::equals).isPresent()) {
                different.put(name, flow);
            }
        });
        if (!different.isEmpty()) {
            controller.merge(application.name, different);
            LOG.info("flows of {} are registered: {}", application.name, different.keySet());
        }
        application.registered = wanted;
        return homeless;
    }

    /** Tells what flows did since they were told of last, and that those without a place do nothing. */
    private void report(final Application application, final FlowMap map, final Map<TaskPair, FlowState> states,
            final Set<String> homeless, final long now) throws IOException, InterruptedException {
        final long elapsedNs = now - application.reportedNs;
        final var figures = new TreeMap<String, Figures>();
        if (elapsedNs <= MOST_INTERVALS * settings.interval().toNanos()) {
            homeless.forEach(flow -> figures.put(flow, Figures.NONE));
            states.forEach((pair, state) -> {
                final var before = application.before.get(pair);
                if (before != null && state.toldNs() > before.toldNs()) {
                    figures.put(map.flows().get(pair).name(), Figures.between(before, state, elapsedNs));
                }
            });
        }
        if (!figures.isEmpty()) {
            controller.report(application.name, TimeUnit.NANOSECONDS.toMicros(elapsedNs), figures);
        }
        application.before = states;
        application.reportedNs = now;
    }

    /** Asks what the meters of flows let through, and which flows have none that they should have. */
    private void ask(final Application application, final FlowLedger ledger)
            throws IOException, InterruptedException {
        final var allocations = controller.allocations(application.name);
        final long answeredNs = nowNs.getAsLong();
        ledger.allocated(allocations, answeredNs);
        application.pending.look(ledger.allocations(answeredNs), answeredNs);
    }

    private void end(final String id, final Application application) throws IOException, InterruptedException {
        final boolean goesOn = ledgers.values().stream()
            .anyMatch(ledger -> ledger.map().application().equals(application.name));
        if (!goesOn) {
            final var there = controller.flows(application.name).keySet();
            if (there.stream().allMatch(FlowMap::isName)) {
                controller.remove(application.name);
                LOG.info("application {} is removed: {} has ended", application.name, id);
            } else {
                remove(application, own(there));
                LOG.info("application {} has flows of an operator, which stay: {} has ended", application.name, id);
            }
        }
        applications.remove(id);
    }

    /** Those of the flows that this Nimbus or an earlier one wrote. */
    private static Set<String> own(final Set<String> there) {
        return there.stream().filter(FlowMap::isName).collect(Collectors.toCollection(TreeSet::new));
    }

    private void remove(final Application application, final Set<String> flows)
            throws IOException, InterruptedException {
        for (var flow : flows) {
            controller.remove(application.name, flow);
            LOG.info("flow {} of {} is gone", flow, application.name);
        }
    }

    private static void well(final Application application) {
        if (!application.trouble.isEmpty()) {
            LOG.info("the controller is told of {} again", application.name);
        }
        application.trouble = "";
        application.pauseNs = 0;
    }

    /** It may have taken long to fail: {@code failedNs} is when it did. */
    private static void pause(final Application application, final long failedNs, final String reason) {
        application.pauseNs = Math.min(MOST_PAUSE_NS, Math.max(LEAST_PAUSE_NS, 2 * application.pauseNs));
        application.notBeforeNs = failedNs + application.pauseNs;
        if (!reason.equals(application.trouble)) {
            LOG.warn("the controller can't be told of {}, tuples go on: {}; tried again, after {} s at the latest",
                application.name, reason, TimeUnit.NANOSECONDS.toSeconds(MOST_PAUSE_NS));
        }
        application.trouble = reason;
    }

    private static Map<String, Object> described(final TaskPair pair, final PlacedFlow flow, final FlowState state,
            final Allocation allocation) {
        final var described = new LinkedHashMap<String, Object>();
        described.put("name", flow.name());
        described.put("source", pair.source());
        described.put("source-host", flow.sourceHost());
        described.put("destination", pair.destination());
        described.put("destination-host", flow.destinationHost());
        described.put("stage", flow.stage());
        described.put("protocol", "tcp");
        if (state != null) {
            described.put("local", state.connection().local().toString());
            described.put("remote", state.connection().remote().toString());
            described.put("passed", state.passedBytes());
            described.put("sender-queue", state.senderBytes());
            described.put("receiver-queue", state.receiverBytes());
            described.put("lost-messages", state.lostMessages());
        }
        if (allocation != null) {
            allocation.meterRate().ifPresent(rate -> described.put("meter-rate", rate));
            allocation.pending().ifPresent(reason -> described.put("pending", reason));
        }
        return described;
    }
}
