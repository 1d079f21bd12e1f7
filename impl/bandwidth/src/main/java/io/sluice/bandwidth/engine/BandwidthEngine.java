// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Batches;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Owner;
import io.sluice.api.Subscription;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Allocation;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.AppFair;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.Policy;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.Priorities.Queue;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Gives each flow of the configuration a rate, round by round, and has those metered that must yield to others, or all
 * marked for queues. One round at a time; who asks for one meanwhile gets the next.
 *
 * <p>All methods run on {@code loop}, and so do the completions of the stages it returns.
 */
public final class BandwidthEngine implements Subscription {
    /** Meters of an earlier controller stay so long for flows whose hosts are not seen yet. */
    private static final long RESTORE_NS = 60_000_000_000L;

    private final Environment environment;
    private final Enforcer enforcer;
    private final Reports reports = new Reports();
    private final FlowTotals flowTotals = new FlowTotals();
    private final CrossTraffic crossTraffic = new CrossTraffic(flowTotals);
    private final QueueEntries queueEntries;
    private final PriorityQueues priorityQueues;
    private final FlowStates states;
    private final History history;
    private final Takeover takeover;
    private final FlowCounters counters;
    private final Batches<BandwidthEngine> rounds;
    private final Subscription subscription;
    private final long startedNs;
    private BandwidthConfig config = BandwidthConfig.DEFAULT;
    private Map<FlowId, String> faults = Map.of();
    private Map<FlowId, FlowConfig> sound = Map.of();
    private Situation situation = Situation.of(config, Map.of(), new Ways(FabricSnapshot.EMPTY, match -> List.of()),
        flow -> Optional.empty());
    /** That of the last round that was not refused. */
    private Situation settled = situation;
    private Map<FlowId, FlowRate> rates = Map.of();
    /** The flow that each application waits for. */
    private Map<ApplicationId, FlowId> slowest = Map.of();
    /** Priorities of the applications with something to send, if the policy is one for queues. */
    private Map<ApplicationId, Integer> levels = Map.of();
    /** Those that packets were marked for by the last round that was not refused, in the order of their levels. */
    private List<Queue> queues = List.of();
    /** Flows of which a switch does more than to count them. */
    private Set<FlowId> acted = Set.of();
    private Map<ApplicationId, Reporting> reporting = Map.of();
    private Optional<Allocation.Refused> refusal = Optional.empty();
    private Totals totals = Totals.NONE;
    private final OutOfSight outOfSight = new OutOfSight();
    private int lastChanges;
    private boolean configured;
    /** The round that took the configuration. */
    private CompletionStage<Void> taken = CompletableFuture.completedStage(null);
    private boolean restored;
    private long version = -1;

    /**
     * What a round came to.
     *
     * @param refusal why it was refused, which left all flows as they were
     * @param changes of how many flows it changed the meter or mark
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
        history = new History(flowTotals, startedNs);
        final var claim = environment.switches().claim();
        final var loop = environment.loop();
        rounds = new Batches<>(callers ->
            CompletableFuture.supplyAsync(this::round, loop).thenCompose(Function.identity()));
        final var patience = environment.newPatience();
        final Runnable late = () -> rounds.add(this);
        enforcer = new Enforcer(owner, environment.switches(), patience, loop, late);
        queueEntries = new QueueEntries(claim, patience, loop, late);
        priorityQueues = new PriorityQueues(environment.switches().queues(), loop);
        states = new FlowStates(enforcer, flowTotals, queueEntries, priorityQueues);
        takeover = new Takeover(claim, enforcer, patience, loop, late);
        counters = new FlowCounters(environment, enforcer, flowTotals);
        subscription = environment.fabric().subscribe(snapshot -> loop.execute(() -> observe(snapshot)));
    }

    /** Takes a configuration, and begins a round if it is a new one. */
    public void configure(final BandwidthConfig written) {
        if (configured && written.equals(config)) {
            return;
        }
        config = written;
        faults = written.faults();
        sound = written.sound();
        configured = true;
        reports.keep(written.flows().keySet());
        flowTotals.keep(written.flows().keySet());
        history.keep(written.flows().keySet());
        taken = rounds.add(this);
    }

    /** Completes when a round has been under the configuration in force; begins one if the last attempt failed. */
    public CompletionStage<Void> taken() {
        if (taken.toCompletableFuture().isCompletedExceptionally()) {
            taken = rounds.add(this);
        }
        return taken.thenRunAsync(() -> { }, environment.loop());
    }

    /** Tells whether an application of {@code tenant} can be so, in place of the one of its name. */
    public Admission admit(final String tenant, final ApplicationConfig wanted) {
        final var id = new ApplicationId(tenant, wanted.name());
        final var after = config.with(tenant, wanted);
        final var worse = after.faults();
        worse.keySet().removeIf(flow -> faults.containsKey(flow) && !flow.application().equals(id));
        if (!worse.isEmpty()) {
            return new Admission.NotEnforceable(worse);
        }
        final var ways = new Ways(environment.fabric().snapshot(), environment.routes());
        final var then = latecomers().seen(after.sound(), flows ->
            Situation.of(after, flows, ways, flow -> Optional.empty()));
        final var unseen = outOfSight.guaranteed(then.missing().keySet(), situation, after.sound(),
            enforcer::declaration);
        return then.setAside(unseen).round().refusals().stream()
            .filter(refused -> refused.flows().stream().map(FlowId::application).anyMatch(id::equals)).findFirst()
            .<Admission>map(refused -> new Admission.Overfull(refused.reason()))
            .orElseGet(Admission.Admitted::new);
    }

    /**
     * Takes what an engine tells of a flow; it counts in the next round.
     *
     * @param intervalUs what the report speaks of, in microseconds up to now, at least 1
     */
    public void report(final FlowId flow, final FlowReport report, final long intervalUs) {
        reports.take(flow, report, intervalUs, config.intervalUs(), environment.nowNs().getAsLong());
    }

    /** Begins a round; completes when the switches have answered to what it changed, or their time is over. */
    public CompletionStage<Outcome> reallocate() {
        return rounds.add(this).thenApplyAsync(done ->
            new Outcome(refusal(), lastChanges, List.copyOf(rates.values())), environment.loop());
    }

    /** The configuration in force. */
    public BandwidthConfig config() {
        return config;
    }

    /** Why the last round was refused, if it was. */
    public Optional<String> refusal() {
        return refusal.map(Allocation.Refused::reason);
    }

    public Totals totals() {
        return totals;
    }

    /** Why a flow has its rate; nothing if none has that name. */
    public Optional<Explanation> explain(final FlowId id) {
        return Optional.ofNullable(config.flows().get(id)).map(flow -> {
            final var state = states.of(id, flow, decided());
            final var link = state.rate().flatMap(FlowRate::bindingLink);
            return new Explanation(state,
                link.flatMap(name -> links().stream().filter(known -> known.name().equals(name)).findFirst()),
                rates.values().stream().filter(rate -> !rate.idle()
                    && link.filter(targets().links(rate.flow())::contains).isPresent()).toList(),
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
        final var decided = decided();
        return config.flows().entrySet().stream().map(flow -> states.of(flow.getKey(), flow.getValue(), decided))
            .toList();
    }

    @Override
    public void close() {
        subscription.close();
        priorityQueues.close();
        enforcer.close();
        environment.switches().queues().leave();
        environment.switches().claim().close();
    }

    private void observe(final FabricSnapshot snapshot) {
        if (configured && snapshot.version() != version) {
            rounds.add(this);
        }
    }

    private CompletionStage<Void> round() {
        final var left = configured && !restored
            ? takeover.read(environment.fabric().snapshot().switches(), sound)
            : CompletableFuture.<Void>completedStage(null);
        return left.thenComposeAsync(known -> counted(), environment.loop())
            .thenComposeAsync(counted -> allocate(), environment.loop());
    }

    /** Has switches tell what has passed; waits for it at the end of an interval if the policy decides on that. */
    private CompletionStage<Void> counted() {
        final var told = counters.read();
        return config.policy() == PolicyName.APP_FAIR
            && history.isOver(config.intervalUs(), environment.nowNs().getAsLong())
            ? told : CompletableFuture.completedStage(null);
    }

    private CompletionStage<Void> allocate() {
        final var snapshot = environment.fabric().snapshot();
        version = snapshot.version();
        final long nowNs = environment.nowNs().getAsLong();
        final var moved = enforcer.handOver(sound);
        look(snapshot, nowNs);
        final var policy = config.policy(history.throughputs());
        final var allocation = policy.allocate(situation.round());
        final long decidedNs = environment.nowNs().getAsLong();
        totals = totals.decided(decidedNs - nowNs);
        return switch (allocation) {
            case Allocation.Refused refused -> {
                refuse(refused);
                yield enforcer.keep(config.flows().keySet())
                    .thenAcceptAsync(changed -> tell(moved, changed), environment.loop());
            }
            case Allocated allocated -> {
                take(policy, allocated);
                final var targets = declared(nowNs);
                final var priorities = config.queuesToMake();
                priorityQueues.begin(priorities);
                yield queueEntries.declare(snapshot.switches(), config.queues())
                    .thenComposeAsync(declared -> enforcer.enforce(targets), environment.loop())
                    .thenAcceptAsync(changed -> enforced(moved, changed, decidedNs), environment.loop())
                    .thenCompose(done -> priorityQueues.end(priorities, situation.ways().values()));
            }
        };
    }

    /** Sees what a round is to decide on. */
    private void look(final FabricSnapshot snapshot, final long nowNs) {
        listen(nowNs);
        final var ways = new Ways(snapshot, environment.routes());
        final var alone = latecomers().seen(sound, flows -> Situation.of(config, flows, ways.links(),
            packets -> way(ways, packets), flow -> reports.of(flow, config.intervalUs(), nowNs)));
        crossTraffic.note(ways.links(), ways.loads(), alone.ways(), nowNs);
        situation = alone.beside(outOfSight.look(alone.missing().keySet(), situation, rates, sound,
            enforcer::declaration, nowNs), crossTraffic::of);
        history.note(config.flows().keySet(), config.intervalUs(), nowNs);
    }

    private void take(final Policy policy, final Allocated allocated) {
        refusal = Optional.empty();
        settled = situation;
        queues = config.queues();
        rates = allocated.flows().stream().collect(
            Collectors.toMap(FlowRate::flow, Function.identity(), (one, other) -> one, LinkedHashMap::new));
        slowest = allocated.slowest().stream().collect(Collectors.toMap(FlowId::application, Function.identity()));
        levels = policy instanceof AppFair fair ? fair.levels(rates.values().stream()
            .filter(rate -> !rate.idle()).map(rate -> rate.flow().application()).distinct().toList())
            : Map.of();
    }

    private Latecomers latecomers() {
        return new Latecomers(settled, packets -> !restored && takeover.hasFound(packets),
            !restored && takeover.hasFound());
    }

    /** How packets pass; not known before it is known what an earlier controller has left where they enter. */
    private Way way(final Ways ways, final Packets packets) {
        final var way = ways.of(packets);
        return restored || !(way instanceof Way.Known known) || takeover.hasRead(known.ingress().switchId()) ? way
            : new Way.Unknown(known.ingress().switchId() + " has not told what an earlier controller has left");
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

    private void refuse(final Allocation.Refused refused) {
        final var before = refusal();
        refusal = Optional.of(refused);
        rates = new LinkedHashMap<>(rates);
        rates.keySet().retainAll(config.flows().keySet());
        totals = totals.andRefused();
        if (!before.equals(Optional.of(refused.reason()))) {
            environment.events().refused(refused.reason());
        }
    }

    private void tell(final Set<FlowId> moved, final Set<FlowId> metered) {
        final var changed = new LinkedHashSet<>(moved);
        changed.addAll(metered);
        lastChanges = changed.size();
        totals = totals.changed(changed.size());
        if (!changed.isEmpty()) {
            final var flows = config.flows();
            final var decided = decided();
            final var told = new LinkedHashMap<FlowId, Optional<FlowState>>();
            changed.forEach(id -> told.put(id, Optional.ofNullable(flows.get(id))
                .map(flow -> states.of(id, flow, decided))));
            environment.events().reallocated(told);
        }
    }

    private void enforced(final Set<FlowId> moved, final Set<FlowId> metered, final long decidedNs) {
        totals = totals.enforced(environment.nowNs().getAsLong() - decidedNs);
        tell(moved, metered);
        if (configured && !restored && isComplete()) {
            restored = true;
            enforcer.settle();
        }
    }

    /** All that there was before this controller has been found, or must do without. */
    private boolean isComplete() {
        return situation.missing().isEmpty() || environment.nowNs().getAsLong() - startedNs >= RESTORE_NS;
    }

    /** The targets of the flows in the round; others keep what they have, and after a while nobody from rising. */
    private Map<FlowId, Target> declared(final long nowNs) {
        final var declared = new LinkedHashMap<>(new DeadBand(situation).applied(
            targets().of(rates.values()), rates.values(), enforcer::declaration));
        acted = declared.keySet().stream().filter(flow -> declared.get(flow).metering().isActing())
            .collect(Collectors.toSet());
        situation.missing().keySet().forEach(flow -> enforcer.declaration(flow)
            .filter(meter -> meter.metering().packets().equals(sound.get(flow).packets()))
            .ifPresent(meter -> declared.put(flow, new Target(meter.metering(), outOfSight.links(flow, nowNs)))));
        enforcer.hold(Optional.of("rises when all flows are seen again that an earlier controller has metered")
            .filter(reason -> !restored && takeover.hasFound() && !isComplete()));
        return declared;
    }

    private FlowStates.Decided decided() {
        return new FlowStates.Decided(faults, refusal, situation, rates, queues, acted);
    }

    private Targets targets() {
        return new Targets(config, situation, levels);
    }
}
