// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.MultipathEvents.WithdrawCause;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.placement.Demand;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds new paths for flows but slots whose path is broken, or one of whose hosts is behind another switch now. */
final class Reroutes {
    private final FlowBook book;
    private final Decisions decisions;
    private final PlacedFlows flows;

    Reroutes(final FlowBook book, final Decisions decisions, final PlacedFlows flows) {
        this.book = book;
        this.decisions = decisions;
        this.flows = flows;
    }

    /** Moves such flows, and withdraws those that have no path. */
    void follow(final FabricSnapshot snapshot) {
        final var broken = book.observe().stream().map(flow -> flow.record().id()).collect(Collectors.toSet());
        final var ofVlans = new HashMap<Integer, Map<InetAddress, SwitchId>>();
        for (var flow : book.all()) {
            final var record = flow.record();
            final var places = ofVlans.computeIfAbsent(record.key().vlan(), snapshot::places);
            final var client = places.getOrDefault(record.key().client(), record.clientSide());
            final var server = places.getOrDefault(record.server(), record.serverSide());
            final boolean stays = client.equals(record.clientSide()) && server.equals(record.serverSide());
            if (!record.key().isSlot() && (!stays || broken.contains(record.id()))) {
                reroute(flow, Reviews.demand(flow, client, server, decisions.config()), snapshot,
                    stays ? MoveCause.PATH_BROKEN : MoveCause.HOST_MOVED);
            }
        }
    }

    private void reroute(final FlowState flow, final Demand demand, final FabricSnapshot snapshot,
            final MoveCause cause) {
        switch (decisions.decide(book.without(List.of(flow), snapshot), demand)) {
            case Decision.Placed placed -> flows.move(flow, placed.assignments().getFirst(), cause);
            case Decision.Refused refusal -> {
                if (cause == MoveCause.HOST_MOVED || !isLeftAlone(flow, snapshot)) {
                    flows.withdraw(flow, WithdrawCause.UNREACHABLE);
                }
            }
        }
    }

    /** A switch that is away goes on as it was: flows over it stay, as long as their hosts are remembered. */
    private static boolean isLeftAlone(final FlowState flow, final FabricSnapshot snapshot) {
        final var record = flow.record();
        final var path = Stream.concat(flow.forward().links().stream(), flow.backward().links().stream())
            .flatMap(link -> Stream.of(link.source().switchId(), link.destination().switchId()));
        final int vlan = record.key().vlan();
        return snapshot.host(vlan, record.key().client()).isPresent()
            && snapshot.host(vlan, record.server()).isPresent()
            && Stream.concat(Stream.of(record.clientSide(), record.serverSide()), path)
                .anyMatch(id -> !snapshot.switches().contains(id));
    }
}
