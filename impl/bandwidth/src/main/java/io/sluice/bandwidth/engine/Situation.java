// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Application;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.Flow;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.PathShare;
import io.sluice.bandwidth.Round;
import io.sluice.bandwidth.Stage;
import io.sluice.bandwidth.Tenant;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.OutOfSight.Kept;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What a round is decided on, and how the flows in it pass the network.
 *
 * @param flows those that can be held to a rate, with the guarantees that count
 * @param ways of the flows in the round
 * @param missing the flows that are not in it because their way is not known, each with the reason
 * @param waived the flows whose guarantees do not count, each with the reason
 * @param outOfSight what flows keep that are missing, by link
 */
record Situation(Round round, Map<FlowId, FlowConfig> flows, Map<FlowId, Way.Known> ways, Map<FlowId, String> missing,
        Map<FlowId, String> waived, Map<String, Kept> outOfSight) {
    /** The round of the flows of {@code config} that have one of these ways. */
    static Situation of(final BandwidthConfig config, final Map<FlowId, FlowConfig> flows, final Ways ways,
            final Function<FlowId, Optional<FlowReport>> reports) {
        return of(config, flows, ways.links(), ways::of, reports);
    }

    /**
     * The round of the flows of {@code config} that have a way.
     *
     * @param flows those that count, with their guarantees
     * @param links all links
     * @param ways how packets pass them
     * @param reports what is known of a flow's last interval
     */
    static Situation of(final BandwidthConfig config, final Map<FlowId, FlowConfig> flows,
            final List<AllocatableLink> links, final Function<Packets, Way> ways,
            final Function<FlowId, Optional<FlowReport>> reports) {
        final var known = new HashMap<FlowId, Way.Known>();
        final var missing = new HashMap<FlowId, String>();
        flows.forEach((id, flow) -> {
            switch (ways.apply(flow.packets())) {
                case Way.Known way -> known.put(id, way);
                case Way.Unknown(var reason) -> missing.put(id, reason);
            }
        });
        final var tenants = config.tenants().stream().map(tenant -> new Tenant(tenant.name(), tenant.weight(),
            tenant.applications().stream().map(application -> new Application(application.name(), application.weight(),
                flows(new ApplicationId(tenant.name(), application.name()), application, flows, known, reports)))
                .toList())).toList();
        return new Situation(new Round(links, tenants, config.intervalUs()), Map.copyOf(flows), known, missing,
            Map.of(), Map.of());
    }

    /**
     * This situation with what links carry besides. Guarantees of flows come before that, though it be there. Of what
     * they leave, flows out of sight keep what their meters let pass: of guarantees all, of the rest up to an equal
     * part each beside the active flows. What is left then is cross traffic's up to an equal part, as if it were one
     * of them. So what fills a link without being asked for does not lock flows out, and what is TCP falls to that
     * part when they take theirs.
     *
     * @param keeping what flows out of sight keep, by link
     * @param crossTraffic by link, that of flows out of sight included
     */
    Situation beside(final Map<String, Kept> keeping, final Function<String, Bandwidth> crossTraffic) {
        final var guaranteed = guaranteed();
        final var active = active();
        return withCrossTraffic(link -> {
            final var free = link.capacity().minusOrZero(
                new Bandwidth((long) Math.ceil(guaranteed.getOrDefault(link.name(), 0.0))));
            return besides(free.bitsPerSecond(), keeping.getOrDefault(link.name(), Kept.NOTHING),
                crossTraffic.apply(link.name()).bitsPerSecond(), active.getOrDefault(link.name(), 0));
        }, keeping);
    }

    /** This situation, in which the guarantees of these flows do not count, each with the reason. */
    Situation waiving(final Map<FlowId, String> reasons) {
        return new Situation(round, flows, ways, missing, reasons, outOfSight);
    }

    /** This situation with so many bit/s of links for nobody in it. */
    Situation setAside(final Map<String, Double> bitsPerSecond) {
        return withCrossTraffic(link -> (long) Math.ceil(bitsPerSecond.getOrDefault(link.name(), 0.0)), outOfSight);
    }

    private Situation withCrossTraffic(final ToLongFunction<AllocatableLink> bitsPerSecond,
            final Map<String, Kept> keeping) {
        final var links = round.links().stream().map(link -> new AllocatableLink(link.name(), link.role(),
            link.capacity(), new Bandwidth(bitsPerSecond.applyAsLong(link)))).toList();
        return new Situation(new Round(links, round.tenants(), round.intervalUs()), flows, ways, missing, waived,
            keeping);
    }

    /** What is not for the active flows of what guarantees leave free; all but their number in bit/s. */
    private static long besides(final long free, final Kept kept, final long crossTraffic, final int active) {
        final long guaranteed = Math.min(kept.guaranteed(), free);
        final long unguaranteed = Math.min(kept.rest(),
            (free - guaranteed) / Math.max(1, kept.flows() + active) * kept.flows());
        final long outOfSight = guaranteed + unguaranteed;
        return outOfSight + Math.min((free - outOfSight) / (1 + active), Math.max(0, crossTraffic - outOfSight));
    }

    /** Bit/s of guarantees over each link. */
    private Map<String, Double> guaranteed() {
        final var guaranteed = new HashMap<String, Double>();
        inRound().forEach(flow -> PathShare.parts(flow.paths()).forEach((link, part) ->
            guaranteed.merge(link, flow.guarantee().bitsPerSecond() * part, Double::sum)));
        return guaranteed;
    }

    /** How many flows with something to send pass each link. */
    private Map<String, Integer> active() {
        final var active = new HashMap<String, Integer>();
        inRound().filter(flow -> !flow.report().map(FlowReport::idle).orElse(false)).forEach(flow ->
            flow.paths().stream().flatMap(path -> path.links().stream()).distinct().forEach(link ->
                active.merge(link, 1, Integer::sum)));
        return active;
    }

    private Stream<Flow> inRound() {
        return round.tenants().stream().flatMap(tenant -> tenant.applications().stream())
            .flatMap(application -> application.flows().stream());
    }

    private static List<Flow> flows(final ApplicationId id, final ApplicationConfig application,
            final Map<FlowId, FlowConfig> counted, final Map<FlowId, Way.Known> ways,
            final Function<FlowId, Optional<FlowReport>> reports) {
        return application.flows().stream().map(written -> new FlowId(id, written.name())).filter(ways::containsKey)
            .map(flowId -> {
                final var flow = counted.get(flowId);
                return new Flow(flow.name(), ways.get(flowId).paths(), stage(flow), flow.weight(), flow.guarantee(),
                    flow.limit(), reports.apply(flowId));
            }).toList();
    }

    private static Stage stage(final FlowConfig flow) {
        return new Stage(flow.stage(), flow.packets().source().getHostAddress(),
            flow.packets().destination().getHostAddress());
    }
}
