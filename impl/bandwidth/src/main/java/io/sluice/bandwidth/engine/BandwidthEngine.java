// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Batches;
import io.sluice.api.Claim;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Owner;
import io.sluice.api.Routes;
import io.sluice.api.Subscription;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Allocation;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.Allocation.Progress;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.PathShare;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.Enforcer.Meter;
import io.sluice.bandwidth.engine.Enforcer.Target;
import io.sluice.bandwidth.engine.FlowState.MeterState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Gives each flow of the configuration a rate, round by round, and has those metered that must yield to others. One
 * round at a time; who asks for one meanwhile gets the next.
 *
 * <p>All methods run on {@code loop}, and so do the completions of the stages it returns.
 */
public final class BandwidthEngine implements Subscription {
    /** Meters of an earlier controller stay so long for flows whose hosts are not seen yet. */
    private static final long RESTORE_NS = 60_000_000_000L;

    private final Environment environment;
    private final Enforcer enforcer;
    private final Reports reports = new Reports();
    private final PassedBytes passed = new PassedBytes();
    private final CrossTraffic crossTraffic = new CrossTraffic(passed);
    private final FlowCounters counters;
    private final Batches<BandwidthEngine> rounds = new Batches<>(callers ->
        CompletableFuture.supplyAsync(this::round, loop()).thenCompose(Function.identity()));
    private final Subscription subscription;
    private final long startedNs;
    private BandwidthConfig config = new BandwidthConfig(PolicyName.APP_MAX_MIN, 5_000_000, List.of());
    private Map<FlowId, String> faults = Map.of();
    private Situation situation = Situation.of(config, Map.of(), new Ways(FabricSnapshot.EMPTY, match -> List.of()),
        flow -> Optional.empty());
    private Map<FlowId, FlowRate> rates = Map.of();
    /** The flow that each application waits for. */
    private Map<ApplicationId, FlowId> slowest = Map.of();
    private Set<FlowId> yielding = Set.of();
    private Map<ApplicationId, Reporting> reporting = Map.of();
    private Optional<Allocation.Refused> refusal = Optional.empty();
    private Totals totals = new Totals(0, 0, 0);
    private int lastChanges;
    private boolean configured;
    private boolean restored;
    private long version = -1;

    /**
     * What the engine works with.
     *
     * @param loop runs one task at a time, in order
     * @param nowNs monotonic clock
     */
    public record Environment(Fabric fabric, Claim claim, Routes routes, BandwidthEvents events, Executor loop,
            LongSupplier nowNs) { }

    /** What happened since the engine began: rounds, those of them that were refused, and changes of meters. */
    public record Totals(long rounds, long refused, long meterChanges) { }

    /**
     * What a round came to.
     *
     * @param refusal why it was refused, which left all as it was
     * @param changes how many meters it changed
     * @param rates of the flows in it
     */
    public record Outcome(Optional<String> refusal, int changes, List<FlowRate> rates) {
        public Outcome {
            rates = List.copyOf(rates);
        }
    }

    /**
     * Waits for a configuration; meters that the switches hold stay until then.
     *
     * @param owner whose mark the claim bears
     */
    public BandwidthEngine(final Environment environment, final Owner owner) {
        this.environment = environment;
        startedNs = environment.nowNs().getAsLong();
        enforcer = new Enforcer(owner, environment.claim(), environment.loop());
        counters = new FlowCounters(environment, enforcer, passed);
        subscription = environment.fabric().subscribe(snapshot -> loop().execute(() -> observe(snapshot)));
    }

    /** Takes a configuration, and begins a round if it is a new one. */
    public void configure(final BandwidthConfig written) {
        if (configured && written.equals(config)) {
            return;
        }
        config = written;
        faults = written.faults();
        configured = true;
        reports.keep(written.flows().keySet());
        passed.keep(written.flows().keySet());
        rounds.add(this);
    }

    /** Takes what an engine tells of the last {@code intervalUs} of a flow; it counts in the next round. */
    public void report(final FlowId flow, final FlowReport report, final long intervalUs) {
        reports.take(flow, report, intervalUs, environment.nowNs().getAsLong());
    }

    /** Begins a round; completes when the switches have answered to what it changed. */
    public CompletionStage<Outcome> reallocate() {
        return rounds.add(this).thenApplyAsync(done ->
            new Outcome(refusal.map(BandwidthEngine::words), lastChanges, List.copyOf(rates.values())), loop());
    }

    /** The configuration in force. */
    public BandwidthConfig config() {
        return config;
    }

    /** Why the last round was refused, if it was. */
    public Optional<String> refusal() {
        return refusal.map(BandwidthEngine::words);
    }

    public Totals totals() {
        return totals;
    }

    /** Why a flow has its rate; nothing if none has that name. */
    public Optional<Explanation> explain(final FlowId id) {
        return Optional.ofNullable(config.flows().get(id)).map(flow -> {
            final var state = state(id, flow);
            final var link = state.rate().flatMap(FlowRate::bindingLink);
            return new Explanation(state,
                link.flatMap(name -> links().stream().filter(known -> known.name().equals(name)).findFirst()),
                rates.values().stream().filter(rate -> !rate.idle()
                    && link.filter(links(rate.flow())::contains).isPresent()).toList(),
                Optional.ofNullable(slowest.get(id.application())).map(rates::get));
        });
    }

    /** What the last round was decided on of each link. */
    public List<AllocatableLink> links() {
        return situation.round().links();
    }

    /** Whether the engine of an application told of its flows, when the last round began. */
    public Reporting reporting(final ApplicationId application) {
        return reporting.getOrDefault(application, Reporting.NONE);
    }

    /** The flows of the configuration, in its order. */
    public Collection<FlowState> flows() {
        return config.flows().entrySet().stream().map(flow -> state(flow.getKey(), flow.getValue())).toList();
    }

    @Override
    public void close() {
        subscription.close();
        environment.claim().close();
    }

    private Executor loop() {
        return environment.loop();
    }

    private void observe(final FabricSnapshot snapshot) {
        if (configured && snapshot.version() != version) {
            rounds.add(this);
        }
    }

    private CompletionStage<Void> round() {
        final var snapshot = environment.fabric().snapshot();
        version = snapshot.version();
        final long nowNs = environment.nowNs().getAsLong();
        listen(nowNs);
        final var ways = new Ways(snapshot, environment.routes());
        final var alone = Situation.of(config, sound(), ways, flow -> reports.of(flow, config.intervalUs(), nowNs));
        crossTraffic.note(ways.links(), ways.loads(), alone.ways());
        situation = alone.beside(crossTraffic::of);
        counters.read();
        return switch (config.policy().policy().allocate(situation.round())) {
            case Allocation.Refused refused -> {
                refuse(refused);
                yield CompletableFuture.completedStage(null);
            }
            case Allocated allocated -> {
                refusal = Optional.empty();
                rates = allocated.flows().stream().collect(
                    Collectors.toMap(FlowRate::flow, Function.identity(), (one, other) -> one, LinkedHashMap::new));
                slowest = allocated.applications().stream().collect(
                    Collectors.toMap(Progress::application, Progress::slowest));
                yield enforcer.enforce(targets()).thenAcceptAsync(this::enforced, loop());
            }
        };
    }

    private void listen(final long nowNs) {
        final var now = new LinkedHashMap<ApplicationId, Reporting>();
        config.flows().keySet().forEach(flow -> now.computeIfAbsent(flow.application(), application ->
            reports.of(application, config.intervalUs(), nowNs)));
        final var before = reporting;
        reporting = now;
        now.forEach((application, heard) -> {
            if (heard != before.getOrDefault(application, Reporting.NONE)) {
                environment.events().heard(application, heard);
            }
        });
    }

    private Map<FlowId, FlowConfig> sound() {
        final var sound = new LinkedHashMap<>(config.flows());
        sound.keySet().removeAll(faults.keySet());
        return sound;
    }

    private void refuse(final Allocation.Refused refused) {
        final var before = refusal.map(BandwidthEngine::words);
        refusal = Optional.of(refused);
        lastChanges = 0;
        totals = new Totals(totals.rounds() + 1, totals.refused() + 1, totals.meterChanges());
        if (!before.equals(Optional.of(words(refused)))) {
            environment.events().refused(words(refused));
        }
    }

    private void enforced(final Set<FlowId> changed) {
        lastChanges = changed.size();
        totals = new Totals(totals.rounds() + 1, totals.refused(), totals.meterChanges() + changed.size());
        if (!changed.isEmpty()) {
            final var told = new LinkedHashMap<FlowId, Optional<FlowRate>>();
            changed.forEach(flow -> told.put(flow, Optional.ofNullable(rates.get(flow))));
            environment.events().reallocated(told);
        }
        final boolean waited = environment.nowNs().getAsLong() - startedNs >= RESTORE_NS;
        if (!restored && (situation.missing().isEmpty() || waited)) {
            restored = true;
            environment.claim().restored();
        }
    }

    /**
     * The meters of the flows that must yield; the others are counted. A flow whose hosts are out of sight keeps what
     * it has: it has nowhere to send to, and its switch may only have lost the controller.
     */
    private Map<FlowId, Target> targets() {
        final var targets = new LinkedHashMap<FlowId, Target>();
        final var active = active();
        yielding = new HashSet<>();
        rates.forEach((flow, rate) -> {
            if (!rate.idle() && rate.bindingLink().map(link -> active.get(link) > 1).orElse(true)) {
                yielding.add(flow);
                targets.put(flow, target(flow, Metering.kilobits(rate.rate().bitsPerSecond())));
            } else {
                targets.put(flow, target(flow, Metering.UNMETERED));
            }
        });
        situation.missing().keySet().forEach(flow -> enforcer.meter(flow).ifPresent(meter ->
            targets.put(flow, new Target(meter.metering(), meter.links()))));
        return targets;
    }

    private Target target(final FlowId flow, final long kilobits) {
        final var packets = config.flows().get(flow).packets();
        return new Target(new Metering(situation.ways().get(flow).ingress(), packets, kilobits), links(flow));
    }

    /** How many flows with something to send each link has. */
    private Map<String, Integer> active() {
        final var active = new HashMap<String, Integer>();
        rates.values().stream().filter(rate -> !rate.idle()).forEach(rate ->
            links(rate.flow()).forEach(link -> active.merge(link, 1, Integer::sum)));
        return active;
    }

    /** The links that a flow passes; none if its way was lost since it was given a rate. */
    private Set<String> links(final FlowId flow) {
        final var way = situation.ways().get(flow);
        return way == null ? Set.of()
            : way.paths().stream().map(PathShare::links).flatMap(List::stream).collect(Collectors.toSet());
    }

    private FlowState state(final FlowId id, final FlowConfig flow) {
        final var meter = enforcer.meter(id).filter(held -> held.metering().isMetered());
        return new FlowState(id, flow, Optional.ofNullable(rates.get(id)), meter.map(held -> new MeterState(
            held.number(), held.metering().ingress().switchId(), held.metering().kilobits())), pending(id, meter));
    }

    private Optional<String> pending(final FlowId id, final Optional<Meter> meter) {
        final var unmet = Optional.ofNullable(faults.get(id))
            .or(() -> refusal.filter(refused -> refused.flows().contains(id)).map(BandwidthEngine::words))
            .or(() -> Optional.ofNullable(situation.missing().get(id)));
        return unmet.or(() -> meter.isPresent() ? meter.orElseThrow().pending()
            : Optional.of("no number is left for its meter").filter(reason -> yielding.contains(id)));
    }

    private static String words(final Allocation.Refused refused) {
        return "guarantees of " + refused.flows() + " sum to " + refused.guaranteed() + " on link " + refused.link()
            + ", which has " + refused.available();
    }
}
