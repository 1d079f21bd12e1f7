// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Claim;
import io.sluice.api.Connection;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.Owner;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.api.Timer;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.engine.Refusal.Why;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.Placement;
import io.sluice.multipath.steering.Steering;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Places a flow for the first packet of each connection and for each piece of a transfer, keeps the flows on good paths
 * and withdraws them when they are idle.
 *
 * <p>All methods run on {@code loop}, and so do the completions of the stages it returns.
 */
public final class MultipathEngine implements Subscription {
    private final Environment environment;
    private final LinkHistory links = new LinkHistory();
    private final FlowBook book = new FlowBook(links);
    private final Decisions decisions;
    private final Steering steering;
    private final Installer installer;
    private final PlacedFlows flows;
    private final Transfers transfers;
    private final Waiting waiting;
    private final Fragments fragments;
    private final Answers answers;
    private final Refusals refusals;
    private final Sampler sampler;
    private final Measurements measurements = new Measurements(book);
    private final Splits splits;
    private final Slots slots;
    private final SlotSplits slotSplits;
    private final Reroutes reroutes;
    private final EndedConnections ended;
    private final ServiceFlows serviceFlows;
    private final Drains drains;
    /** Version of the network that slots were laid out for when it was known here, packets apart. */
    private long laidOut = -1;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private Set<SwitchId> attached = Set.of();
    private final Queue<FabricSnapshot> unseen = new ConcurrentLinkedQueue<>();

    /**
     * What the engine works with.
     *
     * @param loop runs one task at a time, in order
     * @param timer runs tasks on the loop
     * @param nowNs monotonic clock
     * @param clock tells the time of day
     */
    public record Environment(Fabric fabric, Claim claim, FirstPackets firstPackets, RecordStore store,
            MultipathEvents events, Executor loop, Timer timer, LongSupplier nowNs, InstantSource clock) { }

    /**
     * Goes on from what the store has kept, and starts to listen.
     *
     * @param owner whose mark the claim bears
     */
    public MultipathEngine(final Environment environment, final Owner owner, final MultipathConfig config) {
        this.environment = environment;
        decisions = new Decisions(book, links, environment.nowNs(), config);
        installer = new Installer(environment.claim(), environment.store(), environment.loop(),
            environment.timer());
        answers = new Answers(environment.firstPackets());
        sampler = new Sampler(environment, book);
        final var incomplete = new ArrayList<FlowRecord>();
        steering = Steering.restored(owner, environment.store().load(), (flow, missing) -> {
            incomplete.add(flow);
            environment.events().forgotten(flow, missing);
        });
        if (!incomplete.isEmpty()) {
            environment.store().update(List.of(), incomplete);
        }
        flows = new PlacedFlows(environment, book, steering, installer, sampler);
        refusals = new Refusals(environment.clock());
        transfers = new Transfers(environment, book, decisions, steering, flows, refusals);
        splits = new Splits(environment, links, measurements, decisions, flows);
        reroutes = new Reroutes(book, decisions, flows);
        ended = new EndedConnections(flows, environment.firstPackets(), environment.nowNs());
        serviceFlows = new ServiceFlows(book, decisions, flows, ended);
        drains = new Drains(environment, book, decisions, flows, ended, this::endDrains);
        slots = new Slots(environment, links, book, decisions, flows, drains);
        fragments = new Fragments(environment, book, decisions, slots, flows, this::arrived);
        waiting = new Waiting(environment.firstPackets(), fragments::relay, environment.nowNs(),
            environment.events()::dropped);
        slotSplits = new SlotSplits(environment.nowNs(), book, measurements, decisions, flows);
        steering.flows().forEach(record -> book.put(Restored.flow(record, steering, environment)));
        environment.claim().compareWith(new SteeringKnowledge(steering, installer, environment.claim(),
            environment.loop()));
        installer.carryOut(steering.everything()).thenRunAsync(environment.claim()::restored, environment.loop());
        subscriptions.add(environment.fabric().subscribe(this::receive));
        subscriptions.add(environment.firstPackets().subscribe(
            new Arrivals(environment.loop(), fragments::arrived, this::turnAway)::add));
    }

    /**
     * Takes a new configuration: transfers that are new or changed are placed, those that are gone are released, and so
     * are connections of services that are gone. Flows of servers that are gone or drained begin to leave them.
     */
    public void configure(final MultipathConfig config) {
        final var before = decisions.config().transfers();
        decisions.configure(config);
        serviceFlows.follow();
        transfers.follow(before);
        drains.follow();
        fragments.configured();
        slots.withdrawUnknown();
        slots.follow(environment.fabric().snapshot());
        endDrains();
    }

    /** Places the flows of a transfer, all or none; completes when they are in place. */
    public CompletionStage<TransferAnswer> request(final Transfer transfer) {
        return transfers.request(transfer);
    }

    /**
     * Places the flows of a transfer, as above, and lets {@code keeping} write it to the configuration when they are in
     * place; if that fails, the flows are withdrawn, and the answer is a refusal.
     */
    public CompletionStage<TransferAnswer> request(final Transfer transfer,
            final Supplier<CompletionStage<Void>> keeping) {
        return transfers.request(transfer, keeping);
    }

    /** Withdraws the flows of a transfer; says whether there were any. */
    public boolean release(final String transfer) {
        return transfers.release(transfer);
    }

    /** The transfers of the configuration that have carried nothing for as long as they may. */
    public List<String> idleTransfers() {
        return transfers.idle();
    }

    /** Takes note of how busy a server says it is, 0..1. */
    public void reportLoad(final String service, final String server, final double load) {
        decisions.reportLoad(service, server, load);
    }

    /** How busy a server said it was within the last minute, 0..1. */
    public Optional<Double> reportedLoad(final String service, final String server) {
        return decisions.reportedLoad(service, server);
    }

    /** The placed flows, by id. */
    public Collection<FlowState> flows() {
        return book.all();
    }

    /** How the pieces of transfers travel, of those that were measured. */
    public Collection<Split> splits() {
        return splits.all();
    }

    /** How slots are split over paths, as the last review saw it. */
    public Collection<SlotSplit> slotSplits() {
        return slotSplits.all();
    }

    /** The links that were seen to yield less than their capacity, by the port that they leave, and the part, 0..1. */
    public Map<PortId, Double> yields() {
        return decisions.yields();
    }

    /** What was refused last. */
    public Refusals refusals() {
        return refusals;
    }

    /** Since when a flow's server has been removed or drained; nothing if the flow may stay there. */
    public Optional<Instant> drainingSince(final long flow) {
        return drains.since(flow);
    }

    /** The configuration in force. */
    public MultipathConfig config() {
        return decisions.config();
    }

    /**
     * Reads what the flows carry, withdraws the idle ones, moves those for which a better path is worth it, brings
     * transfers together on one path that are slower over several, and corrects how slots are split.
     *
     * @param regardless moves them although they moved lately
     * @return how many moved
     */
    public CompletionStage<Integer> review(final boolean regardless) {
        waiting.forgetRefusals();
        fragments.expire();
        return sampler.sample().thenApplyAsync(sampled -> {
            withdrawIdle();
            endDrains();
            transfers.placeMissing();
            flows.retry();
            final var snapshot = environment.fabric().snapshot();
            measurements.note();
            final var measured = measurements.transfers(snapshot);
            decisions.learn(measured.values());
            final int split = splits.review(measured, snapshot, regardless);
            final long moved = decisions.review(snapshot, regardless, splits.pinned()).stream().filter(move ->
                book.flow(move.id()).filter(flow ->
                    flows.move(flow, Reviews.assignment(move, flow), MoveCause.BETTER_PATH)).isPresent()).count();
            return split + (int) moved + reviewSlots(snapshot, regardless);
        }, environment.loop());
    }

    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
        environment.claim().close();
    }

    /** Takes flows off drained servers whose time there is over. */
    private void endDrains() {
        final var snapshot = environment.fabric().snapshot();
        drains.follow();
        drains.transfers().forEach(transfers::leave);
        if (drains.end(snapshot)) {
            slots.follow(snapshot);
        }
        drains.plan();
    }

    private void withdrawIdle() {
        final long activeNs = environment.nowNs().getAsLong() - config().idleNs();
        book.all().stream().filter(flow -> flow.record().purpose().transfer().isEmpty()
            && !flow.record().key().isSlot() && flow.usage().isIdleSince(activeNs))
            .forEach(flow -> flows.withdraw(flow, WithdrawCause.IDLE));
    }

    private int reviewSlots(final FabricSnapshot snapshot, final boolean regardless) {
        slots.follow(snapshot);
        slots.withdrawForsaken();
        return slotSplits.review(snapshot, regardless);
    }

    private void receive(final FabricSnapshot snapshot) {
        unseen.add(snapshot);
        environment.loop().execute(this::observe);
    }

    /** Of the snapshots that wait only the last is worth the work; what came and went between is noted of all. */
    private void observe() {
        boolean othersAttach = false;
        FabricSnapshot last = null;
        for (var next = unseen.poll(); next != null; next = unseen.poll()) {
            links.observe(next, environment.nowNs().getAsLong());
            othersAttach |= !next.switches().equals(attached);
            attached = next.switches();
            last = next;
        }
        if (last != null) {
            follow(last, othersAttach);
        }
    }

    private void follow(final FabricSnapshot snapshot, final boolean othersAttach) {
        final var changes = steering.observe(snapshot);
        reroutes.follow(snapshot);
        splits.follow();
        if (!changes.declared().isEmpty() || !changes.withdrawn().isEmpty()) {
            installer.carryOut(changes);
        }
        if (snapshot.version() != laidOut) {
            laidOut = snapshot.version();
            slots.follow(snapshot);
        }
        if (othersAttach) {
            flows.retry();
        }
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
        if (ended.contains(packet)) {
            refuse(packet, Why.ENDED);
            return;
        }
        final var snapshot = environment.fabric().snapshot();
        if (!connection.isTagged() && isTakenBySlot(packet, snapshot)) {
            return;
        }
        final var asked = decisions.asked(connection, packet.ingress().switchId(), snapshot);
        switch (decisions.decide(book.world(snapshot), asked.demand())) {
            case Decision.Refused refusal -> refuse(packet, Why.of(asked, refusal));
            case Decision.Placed placed -> enter(packet, new Wanted(FlowKey.of(connection),
                placed.assignments().getFirst(), asked, Optional.empty()));
        }
    }

    /**
     * Leaves a packet to the slot that its client or its addressee belongs to, which may have to be laid out first; not
     * if the client's switch refuses the slot's entries.
     */
    private boolean isTakenBySlot(final FirstPacket packet, final FabricSnapshot snapshot) {
        final var connection = packet.connection();
        final var edge = packet.ingress().switchId();
        if (!slots.take(connection)) {
            final var answered = slots.answered(connection, snapshot);
            answered.ifPresent(slot -> reply(packet, slot, snapshot));
            return answered.isPresent();
        }
        final var present = slots.flow(connection, edge);
        if (present.isPresent()) {
            final boolean stands = present.filter(PlacedFlows::isRefused).isEmpty();
            if (stands) {
                waiting.releaseSometimes(packet);
            }
            return stands;
        }
        final var placed = slots.catchUp(snapshot);
        final boolean taken = slots.flow(connection, edge).isPresent();
        if (taken) {
            waiting.begin(packet);
            placed.whenCompleteAsync((done, failure) -> waiting.end(connection, failure == null), environment.loop());
        }
        return taken;
    }

    /** A reply whose slot was refused by the server's switch gets entries for its connection alone, along the slot. */
    private void reply(final FirstPacket packet, final FlowState slot, final FabricSnapshot snapshot) {
        final var reply = packet.connection();
        final var asking = new Connection(reply.protocol(), reply.destination(), slot.record().key().target(),
            reply.destinationPort(), reply.sourcePort());
        if (!PlacedFlows.isRefused(slot) || book.flow(FlowKey.of(asking)).isPresent()) {
            waiting.releaseSometimes(packet);
            return;
        }
        final var asked = decisions.asked(asking, slot.record().clientSide(), snapshot);
        enter(packet, new Wanted(FlowKey.of(asking), Reviews.along(slot), asked, Optional.empty()));
    }

    private void enter(final FirstPacket packet, final Wanted wanted) {
        final var connection = packet.connection();
        switch (steering.place(wanted.request(book.nextId()))) {
            case Placement.Refused refusal -> refuse(packet,
                new Why(Optional.of(wanted.asked()), refusal.reason(), Optional.empty()));
            case Placement.Placed placed -> {
                ended.forget(connection);
                final var installed = flows.install(wanted, placed);
                waiting.begin(packet);
                installed.whenCompleteAsync((flow, failure) ->
                    waiting.end(connection, failure == null && flow.isPresent()), environment.loop());
            }
        }
    }

    private void turnAway(final Arrivals.Surplus surplus) {
        environment.events().turnedAway(surplus.packets());
        answer(surplus.first(), new Why(Optional.empty(), "too many new connections: " + Arrivals.ROOM
            + " wait to be placed", Optional.of("split the service by slots, or wait")));
    }

    private void refuse(final FirstPacket packet, final Why why) {
        environment.events().dropped(1);
        answer(packet, why);
    }

    private void answer(final FirstPacket packet, final Why why) {
        final var connection = packet.connection();
        answers.refuse(packet, why.isFinal(connection));
        refusals.refused(connection, why);
        if (waiting.refuse(connection)) {
            environment.events().refused(connection, why.reason());
        }
    }
}
