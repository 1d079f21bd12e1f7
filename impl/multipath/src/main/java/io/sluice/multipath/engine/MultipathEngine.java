// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Claim;
import io.sluice.api.Connection;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.Installation;
import io.sluice.api.Owner;
import io.sluice.api.Subscription;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.engine.Requests.Asked;
import io.sluice.multipath.engine.Requests.ServerName;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.placement.Placer;
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

/**
 * Places a flow for the first packet of each connection and for each piece of a transfer, keeps the flows on good paths
 * and withdraws them when they are idle.
 *
 * <p>All methods run on {@code loop}, and so do the completions of the stages it returns.
 */
public final class MultipathEngine implements Subscription {
    private final Environment environment;
    private final Installer installer;
    private final FlowBook book = new FlowBook();
    private final Waiting waiting;
    /** Transfers that were requested and do not stand in the configuration yet. */
    private final Set<String> unwritten = new HashSet<>();
    private final Map<ServerName, Double> reportedLoads = new HashMap<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Steering steering;
    private MultipathConfig config;
    private Placer placer;

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
        steering = Steering.restored(owner, environment.store().load());
        steering.flows().forEach(record -> book.put(Restored.flow(record, steering, environment)));
        installer.carryOut(steering.everything()).thenRunAsync(environment.claim()::restored, environment.loop());
        subscriptions.add(environment.fabric().subscribe(onLoop(this::observe)));
        subscriptions.add(environment.firstPackets().subscribe(onLoop(this::arrived)));
    }

    /** Takes a new configuration: transfers that are new are placed, those that are gone are released. */
    public void configure(final MultipathConfig newConfig) {
        config = newConfig;
        placer = new Placer(newConfig.placer());
        final var standing = newConfig.transfers().keySet();
        unwritten.removeAll(standing);
        book.all().stream().filter(flow -> flow.record().purpose().transfer()
            .filter(name -> !standing.contains(name) && !unwritten.contains(name)).isPresent())
            .forEach(flow -> withdraw(flow, WithdrawCause.RELEASED));
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
        return new Sampler(environment, book).sample().thenApplyAsync(sampled -> {
            final long nowNs = environment.nowNs().getAsLong();
            book.all().stream().filter(flow -> flow.record().purpose().transfer().isEmpty()
                && nowNs - flow.usage().activeNs() > config.idleMs() * 1_000_000)
                .forEach(flow -> withdraw(flow, WithdrawCause.IDLE));
            placeTransfers();
            final var snapshot = environment.fabric().snapshot();
            final var moves = placer.review(book.world(snapshot),
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
        final var broken = book.broken(snapshot);
        final var changes = steering.observe(snapshot);
        broken.forEach(flow -> reroute(flow, snapshot));
        if (!changes.declared().isEmpty() || !changes.withdrawn().isEmpty()) {
            installer.carryOut(changes);
        }
    }

    private void reroute(final FlowState flow, final FabricSnapshot snapshot) {
        final var decision = placer.place(book.without(flow, snapshot), Reviews.demand(flow, config));
        switch (decision) {
            case Decision.Placed placed -> move(flow, placed.assignments().getFirst(), MoveCause.PATH_BROKEN);
            case Decision.Refused refusal -> withdraw(flow, WithdrawCause.UNREACHABLE);
        }
    }

    private void placeTransfers() {
        config.transfers().values().stream().filter(transfer -> book.ofTransfer(transfer.name()).isEmpty())
            .forEach(this::request);
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
        switch (placer.place(book.world(snapshot), asked.demand())) {
            case Decision.Refused refusal -> refuse(connection, refusal.reason());
            case Decision.Placed placed -> {
                waiting.begin(packet);
                final var assignment = placed.assignments().getFirst();
                install(new Wanted(FlowKey.of(connection), assignment, asked, Optional.empty()))
                    .whenCompleteAsync((flow, failure) -> waiting.end(connection, failure == null && flow.isPresent()),
                        environment.loop());
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
        release(transfer.name());
        final var service = asked.service().orElseThrow();
        return switch (placer.place(book.world(snapshot), asked.demand())) {
            case Decision.Refused refusal -> refused(refusal.reason());
            case Decision.Placed placed -> {
                if (!config.transfers().containsKey(transfer.name())) {
                    unwritten.add(transfer.name());
                }
                final var flows = placed.assignments().stream().map(assignment -> install(new Wanted(
                    FlowKey.toPort(service.protocol(), transfer.client(), assignment.candidate().address(),
                        assignment.candidate().port()), assignment, asked, Optional.of(transfer)))
                    .toCompletableFuture()).toList();
                yield CompletableFuture.allOf(flows.toArray(CompletableFuture[]::new)).thenApplyAsync(done ->
                    granted(transfer, flows.stream().map(CompletableFuture::join).toList()), environment.loop());
            }
        };
    }

    private TransferAnswer granted(final Transfer transfer, final List<Optional<FlowState>> flows) {
        if (flows.stream().allMatch(Optional::isPresent)) {
            return new TransferAnswer.Granted(flows.stream().map(Optional::orElseThrow).toList());
        }
        release(transfer.name());
        return new TransferAnswer.Refused("another flow of the client has the packets of one of the pieces");
    }

    /** A flow to install, with what it is for. */
    private record Wanted(FlowKey key, Assignment assignment, Asked asked, Optional<Transfer> transfer) {
        Purpose purpose() {
            return new Purpose(asked.demand().strategy().name(), transfer.map(Transfer::name),
                asked.service().map(Service::name), asked.service().map(service -> assignment.candidate().server()),
                asked.service().isPresent() ? OptionalInt.of(assignment.piece()) : OptionalInt.empty());
        }
    }

    /** Installs a flow; completes with it, or with nothing if it was refused. */
    private CompletionStage<Optional<FlowState>> install(final Wanted wanted) {
        final var assignment = wanted.assignment();
        final var request = new FlowRequest(book.nextId(), wanted.key(), assignment.candidate().address(),
            assignment.forward(), assignment.backward(), wanted.purpose());
        return switch (steering.place(request)) {
            case Placement.Refused refusal -> CompletableFuture.completedStage(Optional.empty());
            case Placement.Placed placed -> {
                final long nowNs = environment.nowNs().getAsLong();
                final var flow = new FlowState(placed.record(), assignment.forward(), assignment.backward(),
                    wanted.asked().demand().bandwidth(), Reviews.reason(assignment), environment.clock().instant(),
                    nowNs, 0, Usage.none(nowNs), Optional.of("being installed"));
                book.put(flow);
                yield installer.carryOut(placed.changes()).thenApplyAsync(installation -> {
                    final var now = settled(flow.record().id(), installation);
                    now.ifPresent(environment.events()::placed);
                    return now;
                }, environment.loop());
            }
        };
    }

    private Optional<FlowState> settled(final long id, final Installation installation) {
        return book.flow(id).map(flow -> flow.withPending(switch (installation) {
            case Installation.InPlace done -> Optional.empty();
            case Installation.Pending pending -> Optional.of(pending.reasons().toString());
        })).map(flow -> {
            book.put(flow);
            return flow;
        });
    }

    private void move(final FlowState flow, final Assignment to, final MoveCause cause) {
        final var record = flow.record();
        if (steering.place(new FlowRequest(record.id(), record.key(), record.server(), to.forward(), to.backward(),
                record.purpose())) instanceof Placement.Placed placed) {
            book.put(flow.moved(placed.record(), to.forward(), to.backward(), Reviews.reason(to),
                environment.clock().instant(), environment.nowNs().getAsLong()));
            installer.carryOut(placed.changes()).thenAcceptAsync(installation ->
                settled(record.id(), installation).ifPresent(moved -> environment.events().moved(moved, cause)),
                environment.loop());
        }
    }

    private void withdraw(final FlowState flow, final WithdrawCause cause) {
        book.remove(flow.record().id());
        installer.carryOut(steering.withdraw(flow.record().id()));
        environment.events().withdrawn(flow, cause);
    }
}
