// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.slots.SlotShares;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which server each slot has. A slot keeps its server as long as that lives; it goes to another one if that is gone, if
 * its time at a drained server is over, or if it is idle and another one has too few.
 */
final class SlotServers {
    private final LongSupplier nowNs;
    private final long startedNs;
    /** Addresses that were seen since the start: only of those is it known that they are gone when they are absent. */
    private final Set<InetAddress> seen = new HashSet<>();
    /** Where each address is, behind a switch that is away too. */
    private Map<InetAddress, SwitchId> places = Map.of();
    private Set<SwitchId> attached = Set.of();

    /**
     * A server that has the port.
     *
     * @param edge its switch; empty if it is not there now
     */
    record Offer(Server server, Optional<SwitchId> edge) { }

    SlotServers(final LongSupplier nowNs) {
        this.nowNs = nowNs;
        startedNs = nowNs.getAsLong();
    }

    /** Takes note of the hosts, and of the switches that are there. */
    void observe(final FabricSnapshot snapshot) {
        attached = snapshot.switches();
        places = snapshot.places();
        places.forEach((address, edge) -> {
            if (attached.contains(edge)) {
                seen.add(address);
            }
        });
    }

    /** True if an address can be a client's; not if it is an IPv6 one that every host has beside its own. */
    static boolean isClient(final InetAddress address) {
        return !(address instanceof Inet6Address && address.isLinkLocalAddress());
    }

    /**
     * The addresses of clients that are known and where, but for those of a service's servers and of the other family.
     * Those behind a switch that is away are among them: it goes on forwarding.
     */
    Map<InetAddress, SwitchId> clients(final MultipathConfig.Service service) {
        final var clients = new HashMap<>(places);
        final int octets = service.virtualAddress().orElseThrow().getAddress().length;
        clients.keySet().removeIf(address -> address.getAddress().length != octets || !isClient(address));
        service.servers().forEach(server -> clients.remove(server.address()));
        return clients;
    }

    /**
     * The servers of a port, of each slot; {@code null} for a slot that has none.
     *
     * @param drains says which slots have to leave their servers, and when
     */
    Offer[] assign(final SlotTable table, final long idleNs, final Drains drains) {
        final var offers = offers(table, drains);
        final int[] current = table.numbers().map(slot -> current(table, offers, slot)).toArray();
        final long[] weights = IntStream.range(0, offers.size()).mapToLong(i -> weight(offers.get(i),
            Arrays.stream(current).anyMatch(place -> place == i), idleNs)).toArray();
        final boolean[] movable = new boolean[current.length];
        for (int slot = 0; slot < current.length; slot++) {
            movable[slot] = isIdle(table.ofSlot(slot), idleNs);
        }
        final int[] kept = table.numbers().map(slot ->
            table.ofSlot(slot).stream().anyMatch(drains::isOver) ? SlotShares.NONE : current[slot]).toArray();
        final int[] places = Arrays.stream(weights).sum() == 0 ? kept : SlotShares.assign(
            Arrays.stream(kept).map(place -> place == SlotShares.NONE || isGone(offers.get(place), idleNs)
                ? SlotShares.NONE : place).toArray(), movable, SlotShares.counts(weights, table.slots()));
        return Arrays.stream(places).mapToObj(place -> place == SlotShares.NONE ? null : offers.get(place))
            .toArray(Offer[]::new);
    }

    private List<Offer> offers(final SlotTable table, final Drains drains) {
        final int octets = table.service().virtualAddress().orElseThrow().getAddress().length;
        final var servers = table.service().servers().stream().filter(server ->
            server.address().getAddress().length == octets
                && server.ports().stream().anyMatch(port -> port.number() == table.port())).toList();
        return Stream.concat(servers.stream(), left(table, drains).filter(left -> servers.stream().noneMatch(server ->
            server.address().equals(left.address())))).sorted(Comparator.comparing(Server::name))
            .map(server -> new Offer(server, edge(server.address()))).toList();
    }

    /** Servers that slots still have and have to leave, as drained ones. */
    private static Stream<Server> left(final SlotTable table, final Drains drains) {
        return table.numbers().boxed().flatMap(slot -> table.ofSlot(slot).stream()).filter(drains::isLeaving)
            .map(flow -> new Server(flow.record().purpose().server().orElseThrow(), flow.record().server(), 1, 0,
                List.of())).distinct();
    }

    private Optional<SwitchId> edge(final InetAddress server) {
        return Optional.ofNullable(places.get(server)).filter(attached::contains);
    }

    private static int current(final SlotTable table, final List<Offer> offers, final int slot) {
        return table.ofSlot(slot).stream().map(flow -> flow.record().server()).flatMap(address ->
            IntStream.range(0, offers.size()).filter(i -> offers.get(i).server().address().equals(address)).boxed())
            .findFirst().orElse(SlotShares.NONE);
    }

    private long weight(final Offer offer, final boolean isUsed, final long idleNs) {
        return offer.edge().isPresent() || isUsed && !isGone(offer, idleNs) ? offer.server().weight() : 0;
    }

    /** True if the server was there, or has had time enough to show up since the start, and is not. */
    private boolean isGone(final Offer offer, final long idleNs) {
        return offer.edge().isEmpty() && (seen.contains(offer.server().address())
            || nowNs.getAsLong() - startedNs >= idleNs);
    }

    /** True if none of the flows carried anything lately. */
    private boolean isIdle(final List<FlowState> flows, final long idleNs) {
        final long sinceNs = nowNs.getAsLong() - idleNs;
        return flows.stream().allMatch(flow -> flow.usage().isIdleSince(sinceNs));
    }
}
