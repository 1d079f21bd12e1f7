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
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.Flow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.FlowCookie;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.group.update.OriginalGroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.group.update.UpdatedGroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.AddMeterInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.RemoveMeterInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.UpdateMeterInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.meter.update.OriginalMeterBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.meter.update.UpdatedMeterBuilder;
import org.opendaylight.yangtools.binding.RpcInput;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** The messages that carry out changes of one switch's entries, as inputs of the plugin's RPCs. */
final class EntryMessages {
    private final SwitchId switchId;
    private final NodeRef node;
    private final EntryCodec codec;

    EntryMessages(final SwitchId switchId, final NodeRef node, final EntryCodec codec) {
        this.switchId = switchId;
        this.node = node;
        this.codec = codec;
    }

    /**
     * The message that carries out a change.
     *
     * @throws IllegalArgumentException if the switch has no room for the entry
     */
    RpcInput of(final Change change) {
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

    /** An added flow takes the place of one of equal match and priority, cookie included; a modified one keeps its. */
    private RpcInput put(final Entry.Flow flow, final long cookie) {
        return new AddFlowInputBuilder().setNode(node)
            .setTableId(Uint8.valueOf(flow.tableId())).setPriority(Uint16.valueOf(flow.priority()))
            .setCookie(new FlowCookie(Uint64.fromLongBits(cookie))).setFlags(EntryCodec.NO_FLAGS)
            .setMatch(MatchCodec.encode(switchId, flow.match()))
            .setInstructions(codec.encodeInstructions(flow)).build();
    }

    private RpcInput add(final Entry.FailoverGroup group) {
        return new AddGroupInputBuilder().setNode(node)
            .setGroupId(new GroupId(Uint32.valueOf(group.groupId()))).setGroupType(GroupTypes.GroupFf)
            .setBuckets(codec.encodeBuckets(group)).build();
    }

    private RpcInput update(final Entry.FailoverGroup group) {
        final var id = new GroupId(Uint32.valueOf(group.groupId()));
        return new UpdateGroupInputBuilder().setNode(node)
            .setOriginalGroup(new OriginalGroupBuilder().setGroupId(id).setGroupType(GroupTypes.GroupFf).build())
            .setUpdatedGroup(new UpdatedGroupBuilder().setGroupId(id).setGroupType(GroupTypes.GroupFf)
                .setBuckets(codec.encodeBuckets(group)).build()).build();
    }

    private RpcInput add(final Entry.Meter meter) {
        return new AddMeterInputBuilder().setNode(node)
            .setMeterId(codec.meterId(meter.number())).setFlags(EntryCodec.encodeFlags(meter))
            .setMeterBandHeaders(EntryCodec.encodeBands(meter)).build();
    }

    private RpcInput update(final Entry.Meter meter) {
        final var id = codec.meterId(meter.number());
        final var flags = EntryCodec.encodeFlags(meter);
        final var bands = EntryCodec.encodeBands(meter);
        return new UpdateMeterInputBuilder().setNode(node)
            .setOriginalMeter(new OriginalMeterBuilder().setMeterId(id).setFlags(flags).setMeterBandHeaders(bands)
                .build())
            .setUpdatedMeter(new UpdatedMeterBuilder().setMeterId(id).setFlags(flags).setMeterBandHeaders(bands)
                .build()).build();
    }

    private RpcInput remove(final EntryKey key, final Held held) {
        return switch (key) {
            case GroupKey group -> new RemoveGroupInputBuilder().setNode(node)
                .setGroupId(new GroupId(Uint32.valueOf(group.groupId()))).setGroupType(GroupTypes.GroupFf).build();
            case MeterKey meter -> new RemoveMeterInputBuilder().setNode(node)
                .setMeterId(codec.meterId(meter.number())).build();
            case EntryKey.FlowKey flow -> new RemoveFlowInputBuilder()
                .setNode(node).setTableId(Uint8.valueOf(flow.tableId()))
                .setPriority(Uint16.valueOf(flow.priority())).setStrict(Boolean.TRUE)
                .setMatch(MatchCodec.encode(switchId, flow.match())).build();
            case EntryKey.AlienKey alien -> removeAlien((Flow) ((Held.Unknown) held).handle());
        };
    }

    private RpcInput removeAlien(final Flow flow) {
        return new RemoveFlowInputBuilder().setNode(node)
            .setTableId(flow.getTableId()).setPriority(flow.getPriority()).setStrict(Boolean.TRUE)
            .setMatch(flow.getMatch()).build();
    }
}
