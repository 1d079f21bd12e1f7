// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.SwitchStates.State;
import io.sluice.southbound.ovsdb.FailMode;
import io.sluice.southbound.program.FlowTables;
import io.sluice.southbound.program.SwitchFeatures;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Features.GroupCapability;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Features.MeterBand;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Features.MeterCapability;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.GroupType;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SwitchChange;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SwitchChangeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches._switch.Features;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches._switch.FeaturesBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.features.GroupBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.features.Table;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.features.TableBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.features.TableKey;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/** What is known of a switch in the words of sluice-fabric. */
final class SwitchWords {
    private SwitchWords() {
        // functions only
    }

    /** A switch without its ports. */
    static SwitchBuilder encode(final SwitchId switchId, final State state) {
        final var builder = new SwitchBuilder().setId(Names.encode(switchId))
            .setAttached(state.detachedSince().isEmpty())
            .setFailMode(encode(state.failMode()));
        state.detachedSince().ifPresent(since ->
            builder.setDetachedSince(new DateAndTime(since.truncatedTo(ChronoUnit.SECONDS).toString())));
        state.features().ifPresent(features -> builder.setFeatures(encode(features)));
        return builder;
    }

    static SwitchChange change(final SwitchId switchId, final SwitchChange.Change change) {
        return new SwitchChangeBuilder().setSwitch(Names.encode(switchId)).setChange(change).build();
    }

    /** That a switch fails in another way. */
    static SwitchChange change(final SwitchId switchId, final FailMode mode) {
        return new SwitchChangeBuilder(change(switchId, SwitchChange.Change.FailMode)).setFailMode(encode(mode))
            .build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.FailMode encode(final FailMode mode) {
        return switch (mode) {
            case SECURE -> org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.FailMode.Secure;
            case STANDALONE -> org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.FailMode.Standalone;
            case UNKNOWN -> org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.FailMode.Unknown;
        };
    }

    private static Features encode(final SwitchFeatures features) {
        final var meters = features.meters();
        return new FeaturesBuilder().setTables(Uint8.valueOf(features.tables().number()))
            .setTable(encode(features.tables().described()))
            .setGroup(features.groups().room().entrySet().stream().map(group -> new GroupBuilder()
                .setType(encode(group.getKey())).setMaxGroups(Uint32.valueOf(group.getValue())).build())
                .collect(BindingMap.toMap()))
            .setGroupCapability(features.groups().capabilities().stream().map(SwitchWords::encode)
                .collect(Collectors.toSet()))
            .setMaxMeters(Uint32.valueOf(meters.room())).setMaxBands(Uint8.valueOf(meters.bands()))
            .setMeterBand(meters.bandTypes().stream().map(SwitchWords::encode).collect(Collectors.toSet()))
            .setMeterCapability(meters.capabilities().stream().map(SwitchWords::encode)
                .collect(Collectors.toSet()))
            .setBundles(features.bundles()).build();
    }

    /** Tables in a row that are alike are told of once. */
    private static Map<TableKey, Table> encode(final Map<Integer, FlowTables.Table> tables) {
        final var encoded = BindingMap.<TableKey, Table>orderedBuilder();
        TableBuilder run = null;
        for (int number : tables.keySet().stream().sorted().toList()) {
            final var table = tables.get(number);
            if (!table.equals(tables.get(number - 1))) {
                if (run != null) {
                    encoded.add(run.build());
                }
                run = new TableBuilder().setFirst(Uint8.valueOf(number))
                    .setMaxEntries(Uint32.valueOf(table.room()))
                    .setMatch(table.matches().map(SwitchWords::encode).orElse(null))
                    .setSet(table.sets().map(SwitchWords::encode).orElse(null));
            }
            run.setLast(Uint8.valueOf(number));
        }
        if (run != null) {
            encoded.add(run.build());
        }
        return encoded.build();
    }

    private static Set<String> encode(final Set<FlowTables.Field> fields) {
        return fields.stream().map(field -> field.name().toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    }

    private static GroupType encode(final SwitchFeatures.GroupType type) {
        return switch (type) {
            case ALL -> GroupType.All;
            case SELECT -> GroupType.Select;
            case INDIRECT -> GroupType.Indirect;
            case FAST_FAILOVER -> GroupType.FastFailover;
        };
    }

    private static GroupCapability encode(final SwitchFeatures.GroupCapability capability) {
        return switch (capability) {
            case SELECT_WEIGHT -> GroupCapability.SelectWeight;
            case SELECT_LIVENESS -> GroupCapability.SelectLiveness;
            case CHAINING -> GroupCapability.Chaining;
            case CHAINING_CHECKS -> GroupCapability.ChainingChecks;
        };
    }

    private static MeterBand encode(final SwitchFeatures.MeterBand band) {
        return switch (band) {
            case DROP -> MeterBand.Drop;
            case DSCP_REMARK -> MeterBand.DscpRemark;
        };
    }

    private static MeterCapability encode(final SwitchFeatures.MeterCapability capability) {
        return switch (capability) {
            case KILOBITS -> MeterCapability.Kilobits;
            case PACKETS -> MeterCapability.Packets;
            case BURST -> MeterCapability.Burst;
            case STATISTICS -> MeterCapability.Statistics;
        };
    }
}
