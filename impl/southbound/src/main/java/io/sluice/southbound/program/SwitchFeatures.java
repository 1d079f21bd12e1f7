// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.MeterUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a switch says that it can do (OpenFlow 1.3.5, sections 7.3.5.9 and 7.3.5.13).
 *
 * @param bundles whether several changes can take effect all at once or not at all
 */
public record SwitchFeatures(FlowTables tables, Groups groups, Meters meters, boolean bundles) {
    /** What a group does with a packet. */
    public enum GroupType { ALL, SELECT, INDIRECT, FAST_FAILOVER }

    /** What groups can do; SELECT_LIVENESS is of select groups, fast-failover groups always watch their ports. */
    public enum GroupCapability { SELECT_WEIGHT, SELECT_LIVENESS, CHAINING, CHAINING_CHECKS }

    /** What is done to packets above a meter's rate. */
    public enum MeterBand { DROP, DSCP_REMARK }

    /** What meters can do: KILOBITS and PACKETS are the units of a rate. */
    public enum MeterCapability { KILOBITS, PACKETS, BURST, STATISTICS }

    /**
     * What the group table can do.
     *
     * @param room how many groups of each type that it has
     */
    public record Groups(Map<GroupType, Long> room, Set<GroupCapability> capabilities) {
        /** There is no group table. */
        public static final Groups NONE = new Groups(Map.of(), Set.of());

        public Groups {
            room = Map.copyOf(room);
            capabilities = Set.copyOf(capabilities);
        }
    }

    /**
     * What the meter table can do.
     *
     * @param room how many meters, which is also the largest id
     * @param bands how many bands a meter may have
     */
    public record Meters(long room, int bands, Set<MeterBand> bandTypes, Set<MeterCapability> capabilities) {
        /** There is no meter table. */
        public static final Meters NONE = new Meters(0, 0, Set.of(), Set.of());

        public Meters {
            bandTypes = Set.copyOf(bandTypes);
            capabilities = Set.copyOf(capabilities);
        }
    }

    /** Why the switch can't hold {@code entry}; nothing if nothing is known against it. */
    public Optional<String> refusal(final Entry entry) {
        return switch (entry) {
            case Entry.Flow flow -> refusal(flow);
            case Entry.FailoverGroup group -> noFailover();
            case Entry.Meter meter -> refusal(meter);
        };
    }

    private Optional<String> refusal(final Entry.Flow flow) {
        if (flow.meter().isPresent() && meters.room() == 0) {
            return noMeters();
        }
        return tables.refusal(flow).or(() -> leadsToGroup(flow.actions()) ? noFailover() : Optional.empty());
    }

    private Optional<String> refusal(final Entry.Meter meter) {
        if (meters.room() == 0) {
            return noMeters();
        }
        final var unit = meter.unit() == MeterUnit.KILOBITS ? MeterCapability.KILOBITS : MeterCapability.PACKETS;
        if (!meters.capabilities().containsAll(Set.of(unit, MeterCapability.BURST))) {
            return Optional.of("the switch's meters can't count " + unit + " with a burst, only "
                + meters.capabilities());
        }
        return meters.bandTypes().contains(MeterBand.DROP) ? Optional.empty()
            : Optional.of("the switch's meters can't drop");
    }

    private Optional<String> noFailover() {
        return groups.room().getOrDefault(GroupType.FAST_FAILOVER, 0L) > 0 ? Optional.empty()
            : Optional.of("the switch has no fast-failover groups");
    }

    private static Optional<String> noMeters() {
        return Optional.of("the switch has no meters");
    }

    private static boolean leadsToGroup(final List<Action> actions) {
        return actions.stream().anyMatch(Action.ToGroup.class::isInstance);
    }
}
