// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.Requests.Asked;
import io.sluice.multipath.engine.Requests.ServerName;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Move;
import io.sluice.multipath.placement.Placer;
import io.sluice.multipath.placement.World;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** What is asked for, and which server and path it gets, by the configuration in force. */
final class Decisions {
    private final FlowBook book;
    private final LinkHistory links;
    private final LongSupplier nowNs;
    private final Map<ServerName, Double> reportedLoads = new HashMap<>();
    private MultipathConfig config;
    private Placer placer;

    Decisions(final FlowBook book, final LinkHistory links, final LongSupplier nowNs, final MultipathConfig config) {
        this.book = book;
        this.links = links;
        this.nowNs = nowNs;
        configure(config);
    }

    void configure(final MultipathConfig newConfig) {
        config = newConfig;
        placer = new Placer(newConfig.placer());
    }

    MultipathConfig config() {
        return config;
    }

    void reportLoad(final String service, final String server, final double load) {
        reportedLoads.put(new ServerName(service, server), load);
    }

    Optional<Double> reportedLoad(final String service, final String server) {
        return Optional.ofNullable(reportedLoads.get(new ServerName(service, server)));
    }

    /** What the first packet of a connection asks for. */
    Asked asked(final Connection connection, final SwitchId clientEdge, final FabricSnapshot snapshot) {
        return requests().of(connection, clientEdge, snapshot);
    }

    /** What a transfer asks for; nothing if its service is unknown. */
    Optional<Asked> asked(final Transfer transfer, final SwitchId clientEdge, final FabricSnapshot snapshot) {
        return requests().of(transfer, clientEdge, snapshot);
    }

    /** Chooses; links that come and go serve only where there is no other way. */
    Decision decide(final World world, final Demand demand) {
        final var steady = steady(world);
        final var decision = placer.place(steady, demand);
        return decision instanceof Decision.Refused && steady != world ? placer.place(world, demand) : decision;
    }

    /** The moves of placed flows that are worth it, {@code regardless} of when they moved last. */
    List<Move> review(final FabricSnapshot snapshot, final boolean regardless) {
        return placer.review(steady(book.world(snapshot)), book.all().stream()
            .map(flow -> Reviews.reviewable(flow, regardless, nowNs.getAsLong())).toList());
    }

    private World steady(final World world) {
        return links.steady(world, nowNs.getAsLong(), config.placer().holdNs());
    }

    private Requests requests() {
        return new Requests(config, book, reportedLoads);
    }
}
