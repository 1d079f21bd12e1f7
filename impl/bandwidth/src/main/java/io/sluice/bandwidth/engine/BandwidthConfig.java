// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the operator says; the configuration of {@code sluice-bandwidth} as values.
 *
 * @param policy how links are shared out
 * @param intervalUs time between two rounds, in microseconds
 * @param tenants by name, in order, and so are their applications and the flows of these
 */
public record BandwidthConfig(PolicyName policy, long intervalUs, List<TenantConfig> tenants) {
    public BandwidthConfig {
        tenants = List.copyOf(tenants);
    }

    /** Who pays for applications; {@code weight} is in 1..10^6, here and below. */
    public record TenantConfig(String name, long weight, List<ApplicationConfig> applications) {
        public TenantConfig {
            applications = List.copyOf(applications);
        }
    }

    /** Flows that are of use together. */
    public record ApplicationConfig(String name, long weight, List<FlowConfig> flows) {
        public ApplicationConfig {
            flows = List.copyOf(flows);
        }
    }

    /**
     * Traffic from one host to another.
     *
     * @param guarantee rate that it always has
     * @param limit rate that it never exceeds
     */
    public record FlowConfig(String name, Packets packets, long weight, Bandwidth guarantee,
            Optional<Bandwidth> limit) { }

    /** All flows, in order. */
    public Map<FlowId, FlowConfig> flows() {
        final var flows = new LinkedHashMap<FlowId, FlowConfig>();
        tenants.forEach(tenant -> tenant.applications().forEach(application -> application.flows().forEach(flow ->
            flows.put(new FlowId(new ApplicationId(tenant.name(), application.name()), flow.name()), flow))));
        return flows;
    }

    /** The flows that can't be held to a rate as they are written, each with the reason. */
    Map<FlowId, String> faults() {
        final var faults = new HashMap<FlowId, String>();
        final var takers = new HashMap<Packets, FlowId>();
        flows().forEach((id, flow) -> {
            final var first = takers.putIfAbsent(flow.packets(), id);
            if (flow.packets().fault().isPresent()) {
                faults.put(id, flow.packets().fault().orElseThrow());
            } else if (flow.limit().filter(limit -> limit.compareTo(flow.guarantee()) < 0).isPresent()) {
                faults.put(id, "limit is below guarantee");
            } else if (first != null) {
                faults.put(id, "its packets are those of " + first);
            }
        });
        return faults;
    }
}
