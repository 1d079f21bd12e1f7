// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Entry;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.EntryKey.GroupKey;
import io.sluice.southbound.program.EntryKey.MeterKey;
import io.sluice.southbound.program.Held;
import java.util.concurrent.CompletableFuture;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.Flow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.FlowCookie;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.group.update.OriginalGroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.group.update.UpdatedGroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.AddMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.AddMeterInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.RemoveMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.RemoveMeterInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.UpdateMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.UpdateMeterInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.meter.update.OriginalMeterBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.meter.update.UpdatedMeterBuilder;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Sends the changes of one switch's entries, each as the RPC that stands for its OpenFlow message. */
final class EntryMessages {
    private final SwitchId switchId;
    private final Rpcs rpcs;
    private final EntryCodec codec;

    EntryMessages(final SwitchId switchId, final Rpcs rpcs, final EntryCodec codec) {
        this.switchId = switchId;
        this.rpcs = rpcs;
        this.codec = codec;
    }

    /**
     * Sends one change.
     *
     * @throws IllegalArgumentException if the switch has no room for the entry; nothing was sent
     */
    CompletableFuture<? extends RpcResult<?>> send(final Change change) {
        if (change.kind() == Kind.REMOVE) {
            return remove(change.key(), change.held());
        }
        final boolean add = change.kind() == Kind.ADD;
        final var known = (Held.Known) change.held();
        return switch (known.entry()) {
            case Entry.Flow flow -> put(flow, known.cookie());
            case Entry.FailoverGroup group -> add ? add(group) : update(group);
            case Entry.Meter meter -> add ? add(meter) : update(meter);
        };
    }

    /** An added flow takes the place of one with the same match and priority, cookie included; a modified one keeps its. */
    private CompletableFuture<? extends RpcResult<?>> put(final Entry.Flow flow, final long cookie) {
        return rpcs.invoke(AddFlow.class, new AddFlowInputBuilder().setNode(rpcs.node())
            .setTableId(Uint8.valueOf(flow.tableId())).setPriority(Uint16.valueOf(flow.priority()))
            .setCookie(new FlowCookie(Uint64.fromLongBits(cookie))).setFlags(EntryCodec.NO_FLAGS)
            .setMatch(MatchCodec.encode(switchId, flow.match()))
            .setInstructions(codec.encodeInstructions(flow)).build());
    }

    private CompletableFuture<? extends RpcResult<?>> add(final Entry.FailoverGroup group) {
        return rpcs.invoke(AddGroup.class, new AddGroupInputBuilder().setNode(rpcs.node())
            .setGroupId(new GroupId(Uint32.valueOf(group.groupId()))).setGroupType(GroupTypes.GroupFf)
            .setBuckets(codec.encodeBuckets(group)).build());
    }

    private CompletableFuture<? extends RpcResult<?>> update(final Entry.FailoverGroup group) {
        final var id = new GroupId(Uint32.valueOf(group.groupId()));
        return rpcs.invoke(UpdateGroup.class, new UpdateGroupInputBuilder().setNode(rpcs.node())
            .setOriginalGroup(new OriginalGroupBuilder().setGroupId(id).setGroupType(GroupTypes.GroupFf).build())
            .setUpdatedGroup(new UpdatedGroupBuilder().setGroupId(id).setGroupType(GroupTypes.GroupFf)
                .setBuckets(codec.encodeBuckets(group)).build()).build());
    }

    private CompletableFuture<? extends RpcResult<?>> add(final Entry.Meter meter) {
        return rpcs.invoke(AddMeter.class, new AddMeterInputBuilder().setNode(rpcs.node())
            .setMeterId(codec.meterId(meter.number())).setFlags(EntryCodec.encodeFlags(meter))
            .setMeterBandHeaders(EntryCodec.encodeBands(meter)).build());
    }

    private CompletableFuture<? extends RpcResult<?>> update(final Entry.Meter meter) {
        final var id = codec.meterId(meter.number());
        final var flags = EntryCodec.encodeFlags(meter);
        final var bands = EntryCodec.encodeBands(meter);
        return rpcs.invoke(UpdateMeter.class, new UpdateMeterInputBuilder().setNode(rpcs.node())
            .setOriginalMeter(new OriginalMeterBuilder().setMeterId(id).setFlags(flags).setMeterBandHeaders(bands)
                .build())
            .setUpdatedMeter(new UpdatedMeterBuilder().setMeterId(id).setFlags(flags).setMeterBandHeaders(bands)
                .build()).build());
    }

    private CompletableFuture<? extends RpcResult<?>> remove(final EntryKey key, final Held held) {
        return switch (key) {
            case GroupKey group -> rpcs.invoke(RemoveGroup.class, new RemoveGroupInputBuilder().setNode(rpcs.node())
                .setGroupId(new GroupId(Uint32.valueOf(group.groupId()))).setGroupType(GroupTypes.GroupFf).build());
            case MeterKey meter -> rpcs.invoke(RemoveMeter.class, new RemoveMeterInputBuilder().setNode(rpcs.node())
                .setMeterId(codec.meterId(meter.number())).build());
            case EntryKey.FlowKey flow -> rpcs.invoke(RemoveFlow.class, new RemoveFlowInputBuilder()
                .setNode(rpcs.node()).setTableId(Uint8.valueOf(flow.tableId()))
                .setPriority(Uint16.valueOf(flow.priority())).setStrict(Boolean.TRUE)
                .setMatch(MatchCodec.encode(switchId, flow.match())).build());
            case EntryKey.AlienKey alien -> removeAlien((Flow) ((Held.Unknown) held).handle());
        };
    }

    private CompletableFuture<? extends RpcResult<?>> removeAlien(final Flow flow) {
        return rpcs.invoke(RemoveFlow.class, new RemoveFlowInputBuilder().setNode(rpcs.node())
            .setTableId(flow.getTableId()).setPriority(flow.getPriority()).setStrict(Boolean.TRUE)
            .setMatch(flow.getMatch()).build());
    }
}
