// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Claim;
import io.sluice.api.Connection;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.Owner;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.engine.Requests.Asked;
import io.sluice.multipath.engine.Requests.ServerName;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Placer;
import io.sluice.multipath.placement.World;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRequest;
import io.sluice.multipath.steering.Placement;
import io.sluice.multipath.steering.Purpose;
import io.sluice.multipath.steering.Steering;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Places a flow for the first packet of each connection and for each piece of a transfer, keeps the flows on good paths
 * and withdraws them when they are idle.
 *
 * <p>All methods run on {@code loop}, and so do the completions of the stages it returns.
 */
public final class MultipathEngine implements Subscription {
    private static final String INSTALLING = "being installed";

    private final Environment environment;
    private final Installer installer;
    private final LinkHistory links = new LinkHistory();
    private final FlowBook book = new FlowBook(links);
    private final Waiting waiting;
    private final Sampler sampler;
    /** Why transfers that stand in the configuration have no flows. */
    private final Map<String, String> refusals = new HashMap<>();
    /** Transfers that were requested and do not stand in the configuration yet. */
    private final Set<String> unwritten = new HashSet<>();
    private final Map<ServerName, Double> reportedLoads = new HashMap<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Steering steering;
    private MultipathConfig config;
    private Placer placer;
    private Set<SwitchId> attached = Set.of();

    /**
     * What the engine works with.
     *
     * @param loop runs one task at a time, in order
     * @param nowNs monotonic clock
     * @param clock tells the time of day
     */
    public record Environment(Fabric fabric, Claim claim, FirstPackets firstPackets, RecordStore store,
            MultipathEvents events, Executor loop, LongSupplier nowNs, InstantSource clock) { }

    /** Answer to a request for a transfer. */
    public sealed interface TransferAnswer {
        /** Every piece has a flow; what is pending on a switch is said in the flow. */
        record Granted(List<FlowState> flows) implements TransferAnswer { }

        /** Nothing was changed. */
        record Refused(String reason) implements TransferAnswer { }
    }

    /**
     * Goes on from what the store has kept, and starts to listen.
     *
     * @param owner whose mark the claim bears
     */
    public MultipathEngine(final Environment environment, final Owner owner,
            final MultipathConfig config) {
        this.environment = environment;
        this.config = config;
        placer = new Placer(config.placer());
        installer = new Installer(environment.claim(), environment.store(), environment.loop());
        waiting = new Waiting(environment.firstPackets(), environment.nowNs());
        sampler = new Sampler(environment, book);
        steering = Steering.restored(owner, environment.store().load());
        steering.flows().forEach(record -> book.put(Restored.flow(record, steering, environment)));
        installer.carryOut(steering.everything()).thenRunAsync(environment.claim()::restored, environment.loop());
        subscriptions.add(environment.fabric().subscribe(onLoop(this::observe)));
        subscriptions.add(environment.firstPackets().subscribe(onLoop(this::arrived)));
    }

    /** Takes a new configuration: transfers that are new or changed are placed, those that are gone are released. */
    public void configure(final MultipathConfig newConfig) {
        final var before = config.transfers();
        config = newConfig;
        placer = new Placer(newConfig.placer());
        final var standing = newConfig.transfers().keySet();
        unwritten.removeAll(standing);
        book.all().stream().filter(flow -> flow.record().purpose().transfer()
            .filter(name -> !standing.contains(name) && !unwritten.contains(name)).isPresent())
            .forEach(flow -> withdraw(flow, WithdrawCause.RELEASED));
        refusals.keySet().retainAll(newConfig.transfers().keySet());
        newConfig.transfers().values().stream().filter(transfer -> before.containsKey(transfer.name())
            && !before.get(transfer.name()).equals(transfer)).forEach(this::stand);
        placeTransfers();
    }

    /** Places the flows of a transfer, all or none; completes when they are in place. */
    public CompletionStage<TransferAnswer> request(final Transfer transfer) {
        final var snapshot = environment.fabric().snapshot();
        final var host = snapshot.host(transfer.client());
        if (host.isEmpty()) {
            return refused("client " + transfer.client().getHostAddress()
                + " was never seen; let it send a packet first");
        }
        return requests().of(transfer, host.orElseThrow().attachment().switchId(), snapshot)
            .map(asked -> place(transfer, asked, snapshot))
            .orElseGet(() -> refused("there is no service " + transfer.service()));
    }

    /** Withdraws the flows of a transfer; says whether there were any. */
    public boolean release(final String transfer) {
        unwritten.remove(transfer);
        final var flows = book.ofTransfer(transfer);
        flows.forEach(flow -> withdraw(flow, WithdrawCause.RELEASED));
        return !flows.isEmpty();
    }

    /** Takes note of how busy a server says it is, 0..1. */
    public void reportLoad(final String service, final String server, final double load) {
        reportedLoads.put(new ServerName(service, server), load);
    }

    /** How busy a server last said it was. */
    public Optional<Double> reportedLoad(final String service, final String server) {
        return Optional.ofNullable(reportedLoads.get(new ServerName(service, server)));
    }

    /** The placed flows, by id. */
    public Collection<FlowState> flows() {
        return book.all();
    }

    /** The configuration in force. */
    public MultipathConfig config() {
        return config;
    }

    /**
     * Reads what the flows carry, withdraws the idle ones and moves those for which a better path is worth it.
     *
     * @param regardless moves them although they moved lately
     * @return how many moved
     */
    public CompletionStage<Integer> review(final boolean regardless) {
        waiting.forgetRefusals();
        return sampler.sample().thenApplyAsync(sampled -> {
            final long nowNs = environment.nowNs().getAsLong();
            book.all().stream().filter(flow -> flow.record().purpose().transfer().isEmpty()
                && nowNs - flow.usage().activeNs() > config.idleMs() * 1_000_000)
                .forEach(flow -> withdraw(flow, WithdrawCause.IDLE));
            placeTransfers();
            retry();
            final var snapshot = environment.fabric().snapshot();
            final var moves = placer.review(links.steady(book.world(snapshot), nowNs, config.placer().holdNs()),
                book.all().stream().map(flow -> Reviews.reviewable(flow, regardless, nowNs)).toList());
            moves.forEach(move -> book.flow(move.id()).ifPresent(flow -> move(flow, Reviews.assignment(move, flow),
                MoveCause.BETTER_PATH)));
            return moves.size();
        }, environment.loop());
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
        environment.claim().close();
    }

    private Requests requests() {
        return new Requests(config, book, reportedLoads);
    }

    private <T> Consumer<T> onLoop(final Consumer<T> task) {
        return value -> environment.loop().execute(() -> task.accept(value));
    }

    private static CompletionStage<TransferAnswer> refused(final String reason) {
        return CompletableFuture.completedStage(new TransferAnswer.Refused(reason));
    }

    private void observe(final FabricSnapshot snapshot) {
        links.observe(snapshot, environment.nowNs().getAsLong());
        final var changes = steering.observe(snapshot);
        book.broken().forEach(flow -> reroute(flow, snapshot));
        if (!changes.declared().isEmpty() || !changes.withdrawn().isEmpty()) {
            installer.carryOut(changes);
        }
        if (!snapshot.switches().equals(attached)) {
            attached = snapshot.switches();
            retry();
        }
    }

    private void reroute(final FlowState flow, final FabricSnapshot snapshot) {
        switch (decide(book.without(List.of(flow), snapshot), Reviews.demand(flow, config))) {
            case Decision.Placed placed -> move(flow, placed.assignments().getFirst(), MoveCause.PATH_BROKEN);
            case Decision.Refused refusal -> withdraw(flow, WithdrawCause.UNREACHABLE);
        }
    }

    /** Chooses; links that come and go serve only where there is no other way. */
    private Decision decide(final World world, final Demand demand) {
        final var steady = links.steady(world, environment.nowNs().getAsLong(), config.placer().holdNs());
        final var decision = placer.place(steady, demand);
        return decision instanceof Decision.Refused && steady != world ? placer.place(world, demand) : decision;
    }

    private void placeTransfers() {
        config.transfers().values().stream().filter(transfer -> book.ofTransfer(transfer.name()).isEmpty())
            .forEach(this::stand);
    }

    /** Requests a transfer that stands in the configuration; a refusal is told once. */
    private void stand(final Transfer transfer) {
        request(transfer).thenAcceptAsync(answer -> {
            if (!(answer instanceof TransferAnswer.Refused(var reason))) {
                refusals.remove(transfer.name());
            } else if (!reason.equals(refusals.put(transfer.name(), reason))) {
                environment.events().refused(transfer, reason);
            }
        }, environment.loop());
    }

    private void arrived(final FirstPacket packet) {
        final var connection = packet.connection();
        if (waiting.joins(packet)) {
            return;
        }
        final var known = book.flow(FlowKey.of(connection)).or(() -> book.flow(FlowKey.of(connection.reversed())));
        if (known.isPresent()) {
            waiting.releaseSometimes(packet);
            return;
        }
        final var snapshot = environment.fabric().snapshot();
        final var asked = requests().of(connection, packet.ingress().switchId(), snapshot);
        switch (decide(book.world(snapshot), asked.demand())) {
            case Decision.Refused refusal -> refuse(connection, refusal.reason());
            case Decision.Placed placed -> enter(packet, new Wanted(FlowKey.of(connection),
                placed.assignments().getFirst(), asked, Optional.empty()));
        }
    }

    private void enter(final FirstPacket packet, final Wanted wanted) {
        final var connection = packet.connection();
        switch (steering.place(wanted.request(book.nextId()))) {
            case Placement.Refused refusal -> refuse(connection, refusal.reason());
            case Placement.Placed placed -> {
                waiting.begin(packet);
                install(wanted, placed).whenCompleteAsync((flow, failure) ->
                    waiting.end(connection, failure == null && flow.isPresent()), environment.loop());
            }
        }
    }

    private void refuse(final Connection connection, final String reason) {
        if (waiting.refuse(connection)) {
            environment.events().refused(connection, reason);
        }
    }

    private CompletionStage<TransferAnswer> place(final Transfer transfer, final Asked asked,
            final FabricSnapshot snapshot) {
        final var before = book.ofTransfer(transfer.name());
        return switch (decide(book.without(before, snapshot), asked.demand())) {
            case Decision.Refused refusal -> refused(refusal.reason());
            case Decision.Placed placed -> enter(transfer, placed.assignments().stream().map(assignment -> new Wanted(
                FlowKey.toPort(asked.service().orElseThrow().protocol(), transfer.client(),
                    assignment.candidate().address(), assignment.candidate().port()), assignment, asked,
                Optional.of(transfer))).toList(), before);
        };
    }

    /** Admits all flows of a transfer before anything changes; what it had goes when they are in place. */
    private CompletionStage<TransferAnswer> enter(final Transfer transfer, final List<Wanted> wanted,
            final List<FlowState> before) {
        final var standing = before.stream().collect(Collectors.toMap(flow -> flow.record().key(),
            flow -> flow.record().id()));
        final var requests = wanted.stream().map(one ->
            one.request(standing.computeIfAbsent(one.key(), added -> book.nextId()))).toList();
        final var refusal = steering.refusal(requests);
        if (refusal.isPresent()) {
            return refused(refusal.orElseThrow());
        }
        if (!config.transfers().containsKey(transfer.name())) {
            unwritten.add(transfer.name());
        }
        final var flows = new ArrayList<CompletableFuture<Optional<FlowState>>>();
        for (int i = 0; i < requests.size(); i++) {
            if (steering.place(requests.get(i)) instanceof Placement.Placed placed) {
                flows.add(install(wanted.get(i), placed).toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(flows.toArray(CompletableFuture[]::new)).thenApplyAsync(done -> {
            final var ids = requests.stream().map(FlowRequest::id).collect(Collectors.toSet());
            before.stream().filter(flow -> !ids.contains(flow.record().id())).forEach(flow ->
                book.flow(flow.record().id()).ifPresent(gone -> withdraw(gone, WithdrawCause.RELEASED)));
            return granted(transfer, flows.stream().flatMap(flow -> flow.join().stream()).toList());
        }, environment.loop());
    }

    private static TransferAnswer granted(final Transfer transfer, final List<FlowState> flows) {
        return flows.size() == transfer.pieces().size() ? new TransferAnswer.Granted(flows)
            : new TransferAnswer.Refused("transfer " + transfer.name() + " was released before it was in place");
    }

    /** A flow to install, with what it is for. */
    private record Wanted(FlowKey key, Assignment assignment, Asked asked, Optional<Transfer> transfer) {
        FlowRequest request(final long id) {
            return new FlowRequest(id, key, assignment.candidate().address(), assignment.forward(),
                assignment.backward(), purpose());
        }

        private Purpose purpose() {
            return new Purpose(asked.demand().strategy().name(), transfer.map(Transfer::name),
                asked.service().map(Service::name), asked.service().map(service -> assignment.candidate().server()),
                asked.service().isPresent() ? OptionalInt.of(assignment.piece()) : OptionalInt.empty());
        }
    }

    /** Installs a flow that was entered; completes with it, or with nothing if it was withdrawn meanwhile. */
    private CompletionStage<Optional<FlowState>> install(final Wanted wanted, final Placement.Placed placed) {
        final var assignment = wanted.assignment();
        final long nowNs = environment.nowNs().getAsLong();
        final var before = book.flow(placed.record().id());
        final var flow = new FlowState(placed.record(), assignment.forward(), assignment.backward(),
            wanted.asked().demand().bandwidth(), Reviews.reason(assignment), environment.clock().instant(), nowNs,
            before.map(old -> old.moves() + 1).orElse(0), before.map(FlowState::usage).orElse(Usage.none(nowNs)),
            Optional.of(INSTALLING));
        book.put(flow);
        sampler.sampleSoon();
        return installer.carryOut(placed.changes()).thenApplyAsync(pending -> {
            final var now = settled(flow.record().id(), pending);
            if (before.isEmpty()) {
                now.ifPresent(environment.events()::placed);
            } else if (!before.orElseThrow().record().equals(placed.record())) {
                now.ifPresent(moved -> environment.events().moved(moved, MoveCause.BETTER_PATH));
            }
            return now;
        }, environment.loop());
    }

    private Optional<FlowState> settled(final long id, final Optional<String> pending) {
        final var flow = book.flow(id).map(found -> found.withPending(pending));
        flow.ifPresent(book::put);
        return flow;
    }

    /** Declares once more what is not in place, or not kept: a switch that was away may be back. */
    private void retry() {
        book.all().stream().filter(flow -> flow.pending().filter(reason -> !reason.equals(INSTALLING)).isPresent())
            .map(flow -> flow.record().id()).forEach(id -> installer.carryOut(steering.again(id))
                .thenAcceptAsync(pending -> settled(id, pending), environment.loop()));
    }

    private void move(final FlowState flow, final Assignment to, final MoveCause cause) {
        final var record = flow.record();
        switch (steering.place(new FlowRequest(record.id(), record.key(), record.server(), to.forward(),
                to.backward(), record.purpose()))) {
            case Placement.Refused refusal -> book.put(flow.withPending(Optional.of(refusal.reason())));
            case Placement.Placed placed -> {
                book.put(flow.moved(placed.record(), to.forward(), to.backward(), Reviews.reason(to),
                    environment.clock().instant(), environment.nowNs().getAsLong()));
                installer.carryOut(placed.changes()).thenAcceptAsync(pending -> settled(record.id(), pending)
                    .ifPresent(moved -> environment.events().moved(moved, cause)), environment.loop());
            }
        }
    }

    private void withdraw(final FlowState flow, final WithdrawCause cause) {
        book.remove(flow.record().id());
        installer.carryOut(steering.withdraw(flow.record().id()));
        environment.events().withdrawn(flow, cause);
    }
}
