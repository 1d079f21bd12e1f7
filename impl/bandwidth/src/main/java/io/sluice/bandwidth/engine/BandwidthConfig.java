// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.Policy;
import io.sluice.bandwidth.Throughput;
import io.sluice.bandwidth.engine.Priorities.Queue;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the operator says; the configuration of {@code sluice-bandwidth} as values.
 *
 * @param policy how links are shared out
 * @param intervalUs time between two rounds, in microseconds
 * @param priorities of applications, which {@code app-fair} alone asks for
 * @param queueSwitches that hold flows to their rates by queues rather than meters
 * @param tenants in the order of their names, and so are their applications and the flows of these
 */
public record BandwidthConfig(PolicyName policy, long intervalUs, Priorities priorities, Set<SwitchId> queueSwitches,
        List<TenantConfig> tenants) {
    /** That of an operator who has said nothing, as in {@code sluice-bandwidth}. */
    public static final BandwidthConfig DEFAULT = new BandwidthConfig(PolicyName.APP_MAX_MIN, 5_000_000,
        new Priorities(750_000, List.of(), false), Set.of(), List.of());

    public BandwidthConfig {
        queueSwitches = Set.copyOf(queueSwitches);
        tenants = tenants.stream().sorted(Comparator.comparing(TenantConfig::name)).toList();
    }

    /** Who pays for applications; {@code weight} is in 1..10^6, here and below. */
    public record TenantConfig(String name, long weight, List<ApplicationConfig> applications) {
        public TenantConfig {
            applications = applications.stream().sorted(Comparator.comparing(ApplicationConfig::name)).toList();
        }
    }

    /** Flows that are of use together. */
    public record ApplicationConfig(String name, long weight, List<FlowConfig> flows) {
        public ApplicationConfig {
            flows = flows.stream().sorted(Comparator.comparing(FlowConfig::name)).toList();
        }
    }

    /**
     * Traffic from one host to another.
     *
     * @param stage number of operators before the one that takes it
     * @param guarantee rate that it always has
     * @param limit rate that it never exceeds
     */
    public record FlowConfig(String name, Packets packets, int stage, long weight, Bandwidth guarantee,
            Optional<Bandwidth> limit) {
        FlowConfig withoutGuarantee() {
            return new FlowConfig(name, packets, stage, weight, Bandwidth.ZERO, limit);
        }
    }

    /** All flows, in order. */
    public Map<FlowId, FlowConfig> flows() {
        final var flows = new LinkedHashMap<FlowId, FlowConfig>();
        tenants.forEach(tenant -> tenant.applications().forEach(application -> application.flows().forEach(flow ->
            flows.put(new FlowId(new ApplicationId(tenant.name(), application.name()), flow.name()), flow))));
        return flows;
    }

    /** Numbers of the queues that ports should be given, the one that goes first first. */
    public List<Long> queuesToMake() {
        return priorities.made()
            ? queues().stream().flatMapToLong(queue -> queue.number().stream()).boxed().toList() : List.of();
    }

    /** The queues that the policy uses, the one that goes first first. */
    List<Queue> queues() {
        return policy == PolicyName.APP_FAIR ? priorities.queues() : List.of();
    }

    /** Whether flows that enter at a switch are held by queues; a policy of priorities has the queues for itself. */
    boolean isQueueing(final SwitchId switchId) {
        return policy != PolicyName.APP_FAIR && queueSwitches.contains(switchId);
    }

    /** The policy, after what applications have got. */
    Policy policy(final Map<ApplicationId, Throughput> history) {
        return policy.policy(priorities, history);
    }

    /** The flows of one application; nothing if there is none of the name. */
    public Optional<List<FlowConfig>> flows(final ApplicationId id) {
        return tenants.stream().filter(tenant -> tenant.name().equals(id.tenant()))
            .flatMap(tenant -> tenant.applications().stream())
            .filter(application -> application.name().equals(id.application())).findFirst()
            .map(ApplicationConfig::flows);
    }

    /** This configuration with an application of {@code tenant}, new or in place of the one of its name. */
    BandwidthConfig with(final String tenant, final ApplicationConfig application) {
        final var before = tenants.stream().filter(known -> known.name().equals(tenant)).findFirst()
            .orElse(new TenantConfig(tenant, 1, List.of()));
        final var after = new TenantConfig(tenant, before.weight(), Stream.concat(Stream.of(application),
            before.applications().stream().filter(other -> !other.name().equals(application.name()))).toList());
        return new BandwidthConfig(policy, intervalUs, priorities, queueSwitches, Stream.concat(Stream.of(after),
            tenants.stream().filter(other -> !other.name().equals(tenant))).toList());
    }

    /** The flows that can be held to a rate as they are written. */
    Map<FlowId, FlowConfig> sound() {
        final var sound = flows();
        sound.keySet().removeAll(faults().keySet());
        return sound;
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
                faults.put(id, "limit of " + flow.limit().orElseThrow() + " is below guarantee of " + flow.guarantee()
                    + "; raise it, or lower the guarantee");
            } else if (first != null) {
                faults.put(id, "its packets are those of " + first + "; add ports or a protocol that tell them apart");
            } else if (policy == PolicyName.APP_FAIR) {
                queueFault(flow).ifPresent(fault -> faults.put(id, fault));
            }
        });
        return faults;
    }

    private Optional<String> queueFault(final FlowConfig flow) {
        return priorities.fault().or(() -> Optional.of("app-fair keeps no guarantee; choose another policy")
            .filter(refused -> !flow.guarantee().equals(Bandwidth.ZERO)));
    }
}
