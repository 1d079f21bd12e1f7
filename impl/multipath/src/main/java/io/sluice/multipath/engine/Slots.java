// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.MaskedIp;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.engine.SlotServers.Offer;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.placement.Candidate;
import io.sluice.multipath.placement.Candidate.Load;
import io.sluice.multipath.placement.Way;
import io.sluice.multipath.placement.Weighing;
import io.sluice.multipath.slots.SlotShares;
import io.sluice.multipath.steering.FlowRequest;
import io.sluice.multipath.steering.Purpose;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Lays out the slots of services ahead of time: for each slot and each switch that clients are behind a flow, which
 * stays where it is until its server or a link of its path is gone, its clients move, or a review puts it elsewhere.
 */
final class Slots {
    private final Environment environment;
    private final LinkHistory links;
    private final FlowBook book;
    private final Decisions decisions;
    private final PlacedFlows flows;
    private final SlotServers servers;
    private final Drains drains;
    /** Version of the network that the slots were laid out for last. */
    private long followed = -1;
    /** The slots that have no way, as was told when they were laid out before. */
    private Map<Lack, SortedSet<Integer>> told = Map.of();
    private Map<Lack, SortedSet<Integer>> lacking = new HashMap<>();

    /** Why slots of a service's port have no way from a switch. */
    private record Lack(String service, int port, SwitchId edge, String reason) { }

    /** Where a slot of a switch shall go; {@code present} is where it is. */
    private record Wish(SwitchId edge, int slot, Candidate candidate, Way way, List<Way> ways,
            Optional<FlowState> present) { }

    Slots(final Environment environment, final LinkHistory links, final FlowBook book, final Decisions decisions,
            final PlacedFlows flows, final Drains drains) {
        this.environment = environment;
        this.links = links;
        this.book = book;
        this.decisions = decisions;
        this.flows = flows;
        this.drains = drains;
        servers = new SlotServers(environment.nowNs());
    }

    /** Withdraws what the configuration does not have any more. */
    void withdrawUnknown() {
        final var known = new HashSet<FlowState>();
        tables().forEach(table -> table.edges().forEach(edge ->
            table.numbers().forEach(slot -> table.flow(edge, slot).ifPresent(known::add))));
        book.slots().stream().filter(flow -> !known.contains(flow))
            .forEach(flow -> flows.withdraw(flow, WithdrawCause.RELEASED));
    }

    /** The same as {@link #follow} if the network has changed since; what can't be laid out is not tried again. */
    CompletionStage<?> catchUp(final FabricSnapshot snapshot) {
        return snapshot.version() == followed ? CompletableFuture.completedStage(null) : follow(snapshot);
    }

    /** Brings all slots along with the network; completes when what was placed anew is in place. */
    CompletionStage<?> follow(final FabricSnapshot snapshot) {
        followed = snapshot.version();
        servers.observe(snapshot);
        lacking = new HashMap<>();
        final var placed = tables().stream().flatMap(table -> lay(table, snapshot).stream())
            .map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new);
        lacking.forEach((lack, slots) -> {
            if (!slots.equals(told.get(lack))) {
                environment.events().refused(lack.service(), slots, lack.edge(), lack.reason());
            }
        });
        told = lacking;
        return CompletableFuture.allOf(placed);
    }

    /** Withdraws the slots of switches that have no clients any more and carry nothing. */
    void withdrawForsaken() {
        final long activeNs = environment.nowNs().getAsLong() - decisions.config().idleNs();
        tables().forEach(table -> {
            final var used = new HashSet<>(servers.clients(table.service()).values());
            table.edges().stream().filter(edge -> !used.contains(edge)).map(edge -> table.numbers().boxed()
                .flatMap(slot -> table.flow(edge, slot).stream()).toList())
                .filter(ofEdge -> ofEdge.stream().allMatch(flow -> flow.usage().isIdleSince(activeNs)))
                .forEach(ofEdge -> ofEdge.forEach(flow -> flows.withdraw(flow, WithdrawCause.IDLE)));
        });
    }

    /** True if the client of {@code connection} belongs to a slot. */
    boolean take(final Connection connection) {
        return SlotServers.isClient(connection.source()) && services().anyMatch(service ->
            service.isAskedForBy(connection) && SlotTable.ports(service).contains(connection.destinationPort()));
    }

    /** The slot of a connection at the switch where it came in. */
    Optional<FlowState> flow(final Connection connection, final SwitchId edge) {
        return services().filter(service -> service.isAskedForBy(connection))
            .flatMap(service -> book.slot(SlotTable.key(service, connection), edge).stream()).findFirst();
    }

    /**
     * The slot that a reply belongs to. If its client is one that nobody knew before, replies may not find it yet: they
     * do from now on.
     */
    Optional<FlowState> answered(final Connection reply, final FabricSnapshot snapshot) {
        if (services().flatMap(service -> service.servers().stream())
                .noneMatch(server -> server.address().equals(reply.source()))) {
            return Optional.empty();
        }
        if (sentBy(reply).anyMatch(flow -> flow.record().key().clients().contains(reply.destination()))) {
            catchUp(snapshot);
        }
        return sentBy(reply).filter(flow ->
            flow.record().replyTo().stream().anyMatch(clients -> clients.contains(reply.destination()))).findFirst();
    }

    /** The slots of the server that a reply comes from. */
    private Stream<FlowState> sentBy(final Connection reply) {
        return book.slots().stream().filter(flow -> flow.record().server().equals(reply.source())
            && flow.record().key().protocol() == reply.protocol()
            && flow.record().key().targetPort().getAsInt() == reply.sourcePort());
    }

    private Stream<Service> services() {
        return decisions.config().services().values().stream().filter(service -> service.slots().isPresent())
            .sorted(Comparator.comparing(Service::name));
    }

    private List<SlotTable> tables() {
        final var placed = book.slots();
        return services().flatMap(service -> SlotTable.ports(service).stream().map(port ->
            new SlotTable(service, port, placed.stream().filter(flow ->
                flow.record().purpose().service().filter(service.name()::equals).isPresent()).toList()))).toList();
    }

    private void lacks(final SlotTable table, final int slot, final SwitchId edge, final String reason) {
        lacking.computeIfAbsent(new Lack(table.service().name(), table.port(), edge, reason), first -> new TreeSet<>())
            .add(slot);
    }

    private List<CompletionStage<?>> lay(final SlotTable table, final FabricSnapshot snapshot) {
        final var clients = servers.clients(table.service());
        final var offers = servers.assign(table, decisions.config().idleNs(), drains);
        table.numbers().filter(slot -> offers[slot] == null).boxed().flatMap(slot -> table.ofSlot(slot).stream())
            .forEach(flow -> flows.withdraw(flow, WithdrawCause.RELEASED));
        final var edges = new TreeSet<>(clients.values());
        edges.addAll(table.edges());
        final var wishes = new ArrayList<Wish>();
        for (var edge : edges) {
            table.numbers().filter(slot -> offers[slot] == null && snapshot.switches().contains(edge)).forEach(slot ->
                lacks(table, slot, edge, "no server was seen that is not drained"));
            final var byServer = new LinkedHashMap<Offer, List<Integer>>();
            table.numbers().filter(slot -> offers[slot] != null).forEach(slot ->
                byServer.computeIfAbsent(offers[slot], offer -> new ArrayList<>()).add(slot));
            byServer.forEach((offer, slots) -> wishes.addAll(wishes(table, edge, offer, slots, snapshot)));
        }
        return grant(table, wishes, clients);
    }

    /** Where the slots of a server go from a switch: those that have no whole path to it are shared out. */
    private List<Wish> wishes(final SlotTable table, final SwitchId edge, final Offer offer,
            final List<Integer> slots, final FabricSnapshot snapshot) {
        final var free = slots.stream().filter(slot -> !stands(table.flow(edge, slot), offer)).toList();
        final var ways = free.isEmpty() ? List.<Way>of() : ways(table, edge, offer, slots, snapshot);
        if (ways.isEmpty() && snapshot.switches().contains(edge)) {
            final var reason = offer.edge().isEmpty() ? " was not seen" : " can't be reached from there";
            free.forEach(slot -> lacks(table, slot, edge, "server " + offer.server().name() + reason));
        }
        final var wishes = new ArrayList<Wish>();
        slots.stream().filter(slot -> ways.isEmpty() || !free.contains(slot))
            .forEach(slot -> table.flow(edge, slot).ifPresent(flow -> wishes.add(stay(flow, slot))));
        if (ways.isEmpty()) {
            return wishes;
        }
        final var shared = slots.stream().filter(slot -> free.contains(slot)
            || wayOf(table.flow(edge, slot).orElseThrow(), ways) != SlotShares.NONE).toList();
        final int[] current = shared.stream().mapToInt(slot -> free.contains(slot) ? SlotShares.NONE
            : wayOf(table.flow(edge, slot).orElseThrow(), ways)).toArray();
        final int[] places = SlotShares.assign(current, new boolean[current.length],
            SlotShares.counts(weights(ways), current.length));
        final var candidate = new Candidate(offer.server().name(), offer.server().address(), table.port(),
            offer.edge().orElseThrow(), Load.NONE, Candidate.UNBOUNDED);
        IntStream.range(0, places.length).filter(i -> current[i] == SlotShares.NONE).forEach(i -> wishes.add(
            new Wish(edge, shared.get(i), candidate, ways.get(places[i]), ways,
                table.flow(edge, shared.get(i)))));
        return wishes;
    }

    private List<Way> ways(final SlotTable table, final SwitchId edge, final Offer offer, final List<Integer> slots,
            final FabricSnapshot snapshot) {
        if (offer.edge().isEmpty() || !snapshot.switches().contains(edge)) {
            return List.of();
        }
        final var present = slots.stream().flatMap(slot -> table.flow(edge, slot).stream()).toList();
        return decisions.spread(book.without(present, snapshot), edge, offer.edge().orElseThrow(),
            table.service().strategy().orElse(decisions.config().strategy()), table.slots());
    }

    /** True if a slot has a whole path to its server. */
    private boolean stands(final Optional<FlowState> placed, final Offer offer) {
        return placed.filter(flow -> flow.record().server().equals(offer.server().address())
            && offer.edge().stream().allMatch(flow.record().serverSide()::equals)
            && !links.isBroken(flow.forward()) && !links.isBroken(flow.backward())).isPresent();
    }

    private static Wish stay(final FlowState flow, final int slot) {
        final var way = new Way(flow.forward(), flow.backward(), 1);
        return new Wish(flow.record().clientSide(), slot, Reviews.candidate(flow), way, List.of(way),
            Optional.of(flow));
    }

    /**
     * Places and moves. A slot that is in another's way may move itself, so that those who were refused try again as
     * long as that helps; of slots that would change places, some give way first.
     */
    private List<CompletionStage<?>> grant(final SlotTable table, final List<Wish> wishes,
            final Map<InetAddress, SwitchId> clients) {
        final var replies = new HashMap<Integer, Map<SwitchId, List<MaskedIp>>>();
        table.numbers().forEach(slot -> replies.put(slot, table.replies(slot, clients)));
        final var placed = new ArrayList<CompletionStage<?>>();
        var refused = List.copyOf(wishes);
        int before;
        do {
            before = refused.size();
            refused = refused.stream().filter(wish -> !isGranted(table, wish, replyTo(replies, wish), placed)).toList();
        } while (!refused.isEmpty() && refused.size() < before);
        refused.forEach(wish -> wish.present().flatMap(flow -> book.flow(flow.record().id()))
            .ifPresent(flow -> flows.withdraw(flow, WithdrawCause.RELEASED)));
        refused.forEach(wish -> add(table, wish, replyTo(replies, wish), placed, reason ->
            lacks(table, wish.slot(), wish.edge(), reason)));
        return placed;
    }

    private static List<MaskedIp> replyTo(final Map<Integer, Map<SwitchId, List<MaskedIp>>> replies, final Wish wish) {
        return replies.get(wish.slot()).getOrDefault(wish.edge(), List.of());
    }

    private boolean isGranted(final SlotTable table, final Wish wish, final List<MaskedIp> replyTo,
            final List<CompletionStage<?>> placed) {
        return wish.present().map(flow -> change(table, wish, flow, replyTo))
            .orElseGet(() -> add(table, wish, replyTo, placed, reason -> { }));
    }

    private boolean add(final SlotTable table, final Wish wish, final List<MaskedIp> replyTo,
            final List<CompletionStage<?>> placed, final Consumer<String> refused) {
        final var added = flows.add(request(table, wish, book.nextId(), replyTo), assignment(table, wish), refused);
        added.ifPresent(placed::add);
        return added.isPresent();
    }

    private boolean change(final SlotTable table, final Wish wish, final FlowState present,
            final List<MaskedIp> replyTo) {
        final var record = present.record();
        final var request = request(table, wish, record.id(), replyTo);
        final boolean moves = wish.way().forward() != present.forward();
        if (moves) {
            return flows.replace(present, request, assignment(table, wish),
                request.server().equals(record.server()) ? MoveCause.PATH_BROKEN : MoveCause.SERVER_GONE);
        }
        return record.replyTo().equals(replyTo) || flows.redeclare(present, request);
    }

    private FlowRequest request(final SlotTable table, final Wish wish, final long id, final List<MaskedIp> replyTo) {
        final var service = table.service();
        final var candidate = wish.candidate();
        return new FlowRequest(id, table.key(wish.slot()), candidate.address(), replyTo, wish.way().forward(),
            wish.way().backward(), new Purpose(service.strategy().orElse(decisions.config().strategy()).name(),
                Optional.empty(), Optional.of(service.name()), Optional.of(candidate.server()),
                OptionalInt.of(piece(table))));
    }

    private static Assignment assignment(final SlotTable table, final Wish wish) {
        final int piece = piece(table);
        return new Assignment(piece, List.of(piece), wish.candidate(), wish.way().forward(), wish.way().backward(),
            Bandwidth.ZERO, Optional.empty(), Weighing.shared(wish.candidate(), wish.way(), wish.ways(), "slot "
                + wish.slot() + " of " + table.slots()
                + ": slots are shared out by the weights of servers, then of paths"));
    }

    private static int piece(final SlotTable table) {
        return table.service().servers().stream().flatMap(server -> server.ports().stream())
            .filter(port -> port.number() == table.port()).mapToInt(MultipathConfig.ServerPort::piece).findFirst()
            .orElse(1);
    }

    static long[] weights(final List<Way> ways) {
        return ways.stream().mapToLong(Way::weight).toArray();
    }

    /** Position of a flow's path among {@code ways}, or {@link SlotShares#NONE}. */
    static int wayOf(final FlowState flow, final List<Way> ways) {
        final var hops = Splits.hops(flow.forward());
        return IntStream.range(0, ways.size()).filter(i -> Splits.hops(ways.get(i).forward()).equals(hops)).findFirst()
            .orElse(SlotShares.NONE);
    }
}
