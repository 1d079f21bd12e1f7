// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.Requests.Asked;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Move;
import io.sluice.multipath.placement.Placer;
import io.sluice.multipath.placement.Reviewable;
import io.sluice.multipath.placement.Strategy;
import io.sluice.multipath.placement.Way;
import io.sluice.multipath.placement.World;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** What is asked for, and which server and path it gets, by the configuration in force. */
final class Decisions {
    private final FlowBook book;
    private final LinkHistory links;
    private final LongSupplier nowNs;
    private final ReportedLoads reportedLoads;
    private final LinkYields yields = new LinkYields();
    private MultipathConfig config;
    private Placer placer;

    Decisions(final FlowBook book, final LinkHistory links, final LongSupplier nowNs, final MultipathConfig config) {
        this.book = book;
        this.links = links;
        this.nowNs = nowNs;
        reportedLoads = new ReportedLoads(nowNs);
        configure(config);
    }

    void configure(final MultipathConfig newConfig) {
        config = newConfig;
        placer = new Placer(newConfig.placer());
        reportedLoads.retain(newConfig.services().values());
    }

    MultipathConfig config() {
        return config;
    }

    void reportLoad(final String service, final String server, final double load) {
        reportedLoads.put(service, server, load);
    }

    Optional<Double> reportedLoad(final String service, final String server) {
        return reportedLoads.of(service, server);
    }

    /** What the first packet of a connection asks for. */
    Asked asked(final Connection connection, final SwitchId clientEdge, final FabricSnapshot snapshot) {
        return requests().of(connection, clientEdge, snapshot);
    }

    /** The demand of a transfer in place of the flows of {@code inPlaceOf}; nothing if its service is unknown. */
    Optional<Asked> asked(final Transfer transfer, final SwitchId clientEdge, final FabricSnapshot snapshot,
            final Optional<String> inPlaceOf) {
        return requests().of(transfer, clientEdge, snapshot, inPlaceOf);
    }

    /** Takes note of what the transfers got over the links. */
    void learn(final Collection<Measured> transfers) {
        final var seen = new HashMap<PortId, Double>();
        transfers.stream().filter(transfer -> transfer.flows().size() > 1).forEach(transfer ->
            transfer.relativeYields(config.placer().leastGainPpm()).forEach((link, share) ->
                seen.merge(link, share, Math::max)));
        yields.observe(seen, nowNs.getAsLong(), config.placer().holdNs());
    }

    /** Takes note of what a trial has shown of links. */
    void confirm(final Map<PortId, Double> shown) {
        yields.confirm(shown);
    }

    /** The links that yield less than their capacity, and how much of it. */
    Map<PortId, Double> yields() {
        return yields.all();
    }

    /**
     * Chooses; links that come and go serve only where there is no other way. The strategy that reviews what it placed
     * takes links for what they yield, the others for what they are said to carry.
     */
    Decision decide(final World asConfigured, final Demand demand) {
        final var world = demand.strategy() == Strategy.JOINT ? yields.corrected(asConfigured) : asConfigured;
        final var steady = steady(world);
        final var decision = placer.place(steady, demand);
        return decision instanceof Decision.Refused && steady != world ? placer.place(world, demand) : decision;
    }

    /**
     * The moves of flows but slots and the {@code pinned} that are worth it, {@code regardless} of when they moved
     * last.
     */
    List<Move> review(final FabricSnapshot snapshot, final boolean regardless, final Set<Long> pinned) {
        return placer.review(steady(yields.corrected(book.world(snapshot))), book.all().stream()
            .filter(flow -> !flow.record().key().isSlot() && !pinned.contains(flow.record().id()))
            .map(flow -> Reviews.reviewable(flow, regardless, nowNs.getAsLong())).toList());
    }

    /**
     * How the flows of a transfer would go on one path; nothing if there is none. The links that they cross are taken
     * for what they were just seen to yield.
     */
    List<Move> together(final Measured transfer, final World wanting) {
        final var known = new HashMap<>(yields.all());
        known.putAll(transfer.yields());
        return placer.together(steady(LinkYields.scaled(wanting, known)), transfer.states().stream().map(flow ->
            new Reviewable(Measurements.view(flow), flow.record().clientSide(), flow.record().serverSide(),
                Long.MAX_VALUE, Strategy.JOINT)).toList(),
            Reviews.demand(transfer.states().getFirst(), config).paths());
    }

    /** The ways over which slots are split, as {@link #decide} sees the links; {@code world} lacks these slots. */
    List<Way> spread(final World asConfigured, final SwitchId from, final SwitchId to, final Strategy strategy,
            final int most) {
        final var world = strategy == Strategy.JOINT ? yields.corrected(asConfigured) : asConfigured;
        final var steady = steady(world);
        final var ways = placer.spread(steady, from, to, strategy, most);
        return ways.isEmpty() && steady != world ? placer.spread(world, from, to, strategy, most) : ways;
    }

    private World steady(final World world) {
        return links.steady(world, nowNs.getAsLong(), config.placer().holdNs());
    }

    private Requests requests() {
        return new Requests(config, book, reportedLoads);
    }
}
