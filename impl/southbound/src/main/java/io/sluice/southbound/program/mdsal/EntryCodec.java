// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Action;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.EntryKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.Flow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.FlowModFlags;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.Instructions;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.InstructionsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.Instruction;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.ApplyActionsCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.ApplyActionsCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.GoToTableCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.GoToTableCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.MeterCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.MeterCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.apply.actions._case.ApplyActionsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.go.to.table._case.GoToTableBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.instruction.meter._case.MeterBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.list.InstructionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.list.InstructionKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.BucketId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.Group;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.Buckets;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.BucketsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.buckets.BucketBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.buckets.BucketKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.BandId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.Meter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterBandType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterFlags;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.band.type.band.type.Drop;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.band.type.band.type.DropBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.MeterBandHeaders;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.MeterBandHeadersBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.meter.band.headers.MeterBandHeaderBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.meter.band.headers.MeterBandHeaderKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.meter.band.headers.meter.band.header.MeterBandTypesBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.statistics.reply.MeterStats;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/**
 * Entries of one switch to and from the OpenFlow plugin's model. What a switch reports is decoded only if Sluice could
 * have written it, so that a decoded entry equal to a declared one is the same entry.
 */
final class EntryCodec {
    /** None of Sluice's flow entries counts less, checks for overlap or tells when it goes. */
    static final FlowModFlags NO_FLAGS = new FlowModFlags(false, false, false, false, false);

    private static final BandId BAND = new BandId(Uint32.ZERO);
    /** OFPG_ANY: a bucket watches its port alone. The plugin would send it too, but calls its absence an error. */
    private static final Uint32 ANY_GROUP = Uint32.MAX_VALUE;

    private final SwitchId switchId;
    private final MeterIds meterIds;

    EntryCodec(final SwitchId switchId, final MeterIds meterIds) {
        this.switchId = switchId;
        this.meterIds = meterIds;
    }

    Instructions encodeInstructions(final Entry.Flow flow) {
        final var list = new ArrayList<Instruction>();
        flow.meter().ifPresent(number -> list.add(new MeterCaseBuilder().setMeter(
            new MeterBuilder().setMeterId(meterId(number)).build()).build()));
        if (!flow.actions().isEmpty()) {
            list.add(new ApplyActionsCaseBuilder().setApplyActions(
                new ApplyActionsBuilder().setAction(ActionCodec.encode(flow.actions())).build()).build());
        }
        flow.nextTable().ifPresent(table -> list.add(new GoToTableCaseBuilder().setGoToTable(
            new GoToTableBuilder().setTableId(Uint8.valueOf(table)).build()).build()));
        final var encoded = BindingMap.<InstructionKey,
            org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.instruction.list.Instruction>
            orderedBuilder();
        for (int i = 0; i < list.size(); i++) {
            encoded.add(new InstructionBuilder().withKey(new InstructionKey(i)).setInstruction(list.get(i)).build());
        }
        return new InstructionsBuilder().setInstruction(encoded.build()).build();
    }

    /** Returns the flow entry, or nothing if Sluice could not have written it. */
    Optional<Entry.Flow> decode(final Flow flow) {
        final var flags = flow.getFlags();
        if (hasTimeout(flow.getIdleTimeout()) || hasTimeout(flow.getHardTimeout())
                || flags != null && !flags.equals(NO_FLAGS)) {
            return Optional.empty();
        }
        return MatchCodec.decode(switchId, flow.getMatch()).flatMap(match -> {
            var meter = OptionalInt.empty();
            var next = OptionalInt.empty();
            List<Action> actions = List.of();
            final var instructions = flow.getInstructions();
            if (instructions != null) {
                for (var instruction : instructions.nonnullInstruction().values()) {
                    switch (instruction.getInstruction()) {
                        case MeterCase metered -> {
                            meter = meterIds.number(metered.getMeter().getMeterId().getValue().toJava());
                            if (meter.isEmpty()) {
                                return Optional.empty();
                            }
                        }
                        case GoToTableCase gone -> next = OptionalInt.of(gone.getGoToTable().getTableId().toJava());
                        case ApplyActionsCase applied -> {
                            final var decoded = ActionCodec.decode(applied.getApplyActions().nonnullAction());
                            if (decoded.isEmpty()) {
                                return Optional.empty();
                            }
                            actions = decoded.orElseThrow();
                        }
                        default -> {
                            return Optional.empty();
                        }
                    }
                }
            }
            return Optional.of(new Entry.Flow(flow.getTableId().toJava(), flow.getPriority().toJava(), match, actions,
                meter, next));
        });
    }

    /** Returns the key of a flow entry of which the match at least could be Sluice's. */
    Optional<EntryKey> key(final Flow flow) {
        return MatchCodec.decode(switchId, flow.getMatch()).map(match ->
            new EntryKey.FlowKey(flow.getTableId().toJava(), flow.getPriority().toJava(), match));
    }

    Buckets encodeBuckets(final Entry.FailoverGroup group) {
        final var encoded = BindingMap.<BucketKey,
            org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.buckets.Bucket>orderedBuilder();
        for (int i = 0; i < group.buckets().size(); i++) {
            final var bucket = group.buckets().get(i);
            encoded.add(new BucketBuilder().withKey(new BucketKey(new BucketId(Uint32.valueOf(i))))
                .setWeight(Uint16.ZERO).setWatchPort(Uint32.valueOf(bucket.watchPort())).setWatchGroup(ANY_GROUP)
                .setAction(ActionCodec.encode(bucket.actions())).build());
        }
        return new BucketsBuilder().setBucket(encoded.build()).build();
    }

    /** Returns the group, or nothing if Sluice could not have written it. */
    Optional<Entry.FailoverGroup> decode(final Group group) {
        if (group.getGroupType() != GroupTypes.GroupFf || group.getBuckets() == null) {
            return Optional.empty();
        }
        final var buckets = new ArrayList<Bucket>();
        final var ordered = group.getBuckets().nonnullBucket().values().stream()
            .sorted(Comparator.comparing(bucket -> bucket.getBucketId().getValue())).toList();
        for (var bucket : ordered) {
            final var actions = ActionCodec.decode(bucket.nonnullAction());
            if (actions.isEmpty() || bucket.getWatchPort() == null) {
                return Optional.empty();
            }
            buckets.add(new Bucket(bucket.getWatchPort().toJava(), actions.orElseThrow()));
        }
        return Optional.of(new Entry.FailoverGroup(group.getGroupId().getValue().toJava(), buckets));
    }

    MeterId meterId(final int number) {
        return new MeterId(Uint32.valueOf(meterIds.id(number)));
    }

    static MeterFlags encodeFlags(final Entry.Meter meter) {
        final boolean kilobits = meter.unit() == MeterUnit.KILOBITS;
        return new MeterFlags(true, kilobits, !kilobits, true);
    }

    static MeterBandHeaders encodeBands(final Entry.Meter meter) {
        final var rate = Uint32.valueOf(meter.rate());
        final var burst = Uint32.valueOf(meter.burst());
        final var band = new MeterBandHeaderBuilder().withKey(new MeterBandHeaderKey(BAND))
            .setMeterBandTypes(new MeterBandTypesBuilder().setFlags(new MeterBandType(true, false, false)).build())
            .setBandRate(rate).setBandBurstSize(burst)
            .setBandType(new DropBuilder().setDropRate(rate).setDropBurstSize(burst).build()).build();
        return new MeterBandHeadersBuilder().setMeterBandHeader(BindingMap.of(band)).build();
    }

    /** Returns the meter, or nothing if Sluice could not have written it. */
    Optional<Entry.Meter> decode(final Meter meter) {
        final var bands = meter.getMeterBandHeaders() == null ? List.<Object>of()
            : List.copyOf(meter.getMeterBandHeaders().nonnullMeterBandHeader().values());
        final var number = meterIds.number(meter.getMeterId().getValue().toJava());
        final var flags = meter.getFlags();
        if (number.isEmpty() || bands.size() != 1 || !flags.getMeterBurst()) {
            return Optional.empty();
        }
        final var type = meter.getMeterBandHeaders().nonnullMeterBandHeader().values().iterator().next().getBandType();
        return type instanceof Drop drop
            ? Optional.of(new Entry.Meter(number.getAsInt(), flags.getMeterKbps() ? MeterUnit.KILOBITS
                : MeterUnit.PACKETS, drop.getDropRate().toJava(), drop.getDropBurstSize().toJava()))
            : Optional.empty();
    }

    /**
     * Returns what a meter has counted, or nothing if the switch does not count that: it then says the largest number
     * (OpenFlow 1.3.5, section 5.8).
     */
    static Optional<Metered> decode(final MeterStats meter) {
        final var entered = new Traffic(meter.getPacketInCount().getValue().longValue(),
            meter.getByteInCount().getValue().longValue());
        final var dropped = Optional.ofNullable(meter.getMeterBandStats()).stream()
            .flatMap(bands -> bands.nonnullBandStat().values().stream())
            .map(band -> new Traffic(band.getPacketBandCount().getValue().longValue(),
                band.getByteBandCount().getValue().longValue())).reduce(Traffic.NONE, Traffic::plus);
        return Stream.of(entered, dropped).anyMatch(amount -> amount.packets() < 0 || amount.bytes() < 0)
            ? Optional.empty() : Optional.of(new Metered(meter.getMeterId().getValue().toJava(), entered, dropped));
    }

    private static boolean hasTimeout(final Uint16 seconds) {
        return seconds != null && seconds.toJava() != 0;
    }
}
