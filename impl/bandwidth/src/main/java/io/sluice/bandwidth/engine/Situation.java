// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.Application;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.Flow;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.Round;
import io.sluice.bandwidth.Tenant;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a round is decided on, and how the flows in it pass the network.
 *
 * @param ways of the flows in the round
 * @param missing the flows that are not in it because their way is not known, each with the reason
 */
record Situation(Round round, Map<FlowId, Way.Known> ways, Map<FlowId, String> missing) {
    /**
     * The round of the flows of {@code config} that have a way.
     *
     * @param sound the flows that count
     * @param reports what is known of a flow's last interval
     */
    static Situation of(final BandwidthConfig config, final Map<FlowId, FlowConfig> sound, final Ways ways,
            final Function<FlowId, Optional<FlowReport>> reports) {
        final var known = new HashMap<FlowId, Way.Known>();
        final var missing = new HashMap<FlowId, String>();
        sound.forEach((id, flow) -> {
            switch (ways.of(flow.packets())) {
                case Way.Known way -> known.put(id, way);
                case Way.Unknown(var reason) -> missing.put(id, reason);
            }
        });
        final var tenants = config.tenants().stream().map(tenant -> new Tenant(tenant.name(), tenant.weight(),
            tenant.applications().stream().map(application -> new Application(application.name(), application.weight(),
                flows(new ApplicationId(tenant.name(), application.name()), application, known, reports)))
                .toList())).toList();
        return new Situation(new Round(ways.links(), tenants, config.intervalUs()), known, missing);
    }

    private static List<Flow> flows(final ApplicationId id, final ApplicationConfig application,
            final Map<FlowId, Way.Known> ways, final Function<FlowId, Optional<FlowReport>> reports) {
        return application.flows().stream().filter(flow -> ways.containsKey(new FlowId(id, flow.name())))
            .map(flow -> {
                final var flowId = new FlowId(id, flow.name());
                return new Flow(flow.name(), ways.get(flowId).paths(), flow.weight(), flow.guarantee(), flow.limit(),
                    reports.apply(flowId));
            }).toList();
    }
}
