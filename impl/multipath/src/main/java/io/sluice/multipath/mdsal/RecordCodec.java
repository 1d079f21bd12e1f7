// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.MaskedIp;
import io.sluice.api.PathLabel;
import io.sluice.multipath.steering.DetourRecord;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.FlowRecord.Labels;
import io.sluice.multipath.steering.Hop;
import io.sluice.multipath.steering.PathRecord;
import io.sluice.multipath.steering.PathRecord.Protection;
import io.sluice.multipath.steering.Purpose;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.Label;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.Detour;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.DetourBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.FlowBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.Path;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.PathBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.detour.HopBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.detour.HopKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.detour.LostBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.flow.Reply;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.flow.ReplyBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.flow.ReplyKey;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Records to and from {@code sluice-multipath-store}. */
final class RecordCodec {
    private RecordCodec() {
        // functions only
    }

    static Detour encode(final DetourRecord record) {
        final var hops = BindingMap.<HopKey,
            org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.detour.Hop>orderedBuilder();
        for (int i = 0; i < record.hops().size(); i++) {
            final var hop = record.hops().get(i);
            hops.add(new HopBuilder().setIndex(Uint8.valueOf(i))
                .setOutSwitch(Values.switchId(hop.out().switchId())).setOutPort(Values.portNumber(hop.out()))
                .setInSwitch(Values.switchId(hop.in().switchId())).setInPort(Values.portNumber(hop.in())).build());
        }
        final var lost = record.lost();
        return new DetourBuilder().setLabel(label(record.label()))
            .setLost(new LostBuilder()
                .setOutSwitch(Values.switchId(lost.out().switchId())).setOutPort(Values.portNumber(lost.out()))
                .setInSwitch(Values.switchId(lost.in().switchId())).setInPort(Values.portNumber(lost.in())).build())
            .setHop(hops.build()).build();
    }

    static DetourRecord decode(final Detour detour) {
        return new DetourRecord(label(detour.getLabel()), hop(detour.getLost()), ordered(detour.nonnullHop(),
            HopKey::getIndex));
    }

    static Path encode(final PathRecord record) {
        final var hops = BindingMap.<org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.path.HopKey,
            org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.path.Hop>orderedBuilder();
        for (int i = 0; i < record.hops().size(); i++) {
            final var hop = record.hops().get(i);
            hops.add(new org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.path.HopBuilder()
                .setIndex(Uint8.valueOf(i))
                .setOutSwitch(Values.switchId(hop.out().switchId())).setOutPort(Values.portNumber(hop.out()))
                .setInSwitch(Values.switchId(hop.in().switchId())).setInPort(Values.portNumber(hop.in()))
                .setDetour(record.detourAround(i).map(RecordCodec::label).orElse(null)).build());
        }
        return new PathBuilder().setLabel(label(record.label())).setHop(hops.build()).build();
    }

    static PathRecord decode(final Path path) {
        final var protections = new ArrayList<Protection>();
        path.nonnullHop().values().stream().filter(hop -> hop.getDetour() != null).sorted(Comparator.comparing(hop ->
            hop.getIndex())).forEach(hop -> protections.add(new Protection(hop.getIndex().toJava(),
            label(hop.getDetour()))));
        return new PathRecord(label(path.getLabel()), ordered(path.nonnullHop(),
            org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.multipath.store.path.HopKey::getIndex), protections);
    }

    static Flow encode(final FlowRecord record) {
        final var key = record.key();
        final var purpose = record.purpose();
        return new FlowBuilder().setId(Uint64.valueOf(record.id())).setVlan(Values.vlan(key.vlan()))
            .setProtocol(Uint8.valueOf(key.protocol()))
            .setClient(Values.address(key.client()))
            .setClientMask(key.isSlot() ? Values.address(key.clients().mask()) : null)
            .setReply(key.isSlot() ? replies(record.replyTo()) : null).setTarget(Values.address(key.target()))
            .setClientPort(Values.port(key.clientPort())).setTargetPort(Values.port(key.targetPort()))
            .setServer(Values.address(record.server()))
            .setClientSide(Values.switchId(record.clientSide())).setServerSide(Values.switchId(record.serverSide()))
            .setForwardLabel(record.labels().map(labels -> label(labels.forward())).orElse(null))
            .setBackwardLabel(record.labels().map(labels -> label(labels.backward())).orElse(null))
            .setStrategy(purpose.strategy()).setTransfer(Values.name(purpose.transfer()))
            .setService(Values.name(purpose.service())).setServerName(Values.name(purpose.server()))
            .setPiece(purpose.piece().isPresent() ? Uint16.valueOf(purpose.piece().getAsInt()) : null).build();
    }

    static FlowRecord decode(final Flow flow) {
        final var labels = flow.getForwardLabel() == null ? Optional.<Labels>empty()
            : Optional.of(new Labels(label(flow.getForwardLabel()), label(flow.getBackwardLabel())));
        final var purpose = new Purpose(flow.getStrategy(), Values.name(flow.getTransfer()),
            Values.name(flow.getService()), Values.name(flow.getServerName()),
            flow.getPiece() == null ? OptionalInt.empty() : OptionalInt.of(flow.getPiece().toJava()));
        final var clients = flow.getClientMask() == null ? MaskedIp.host(Values.address(flow.getClient()))
            : new MaskedIp(Values.address(flow.getClient()), Values.address(flow.getClientMask()));
        final var replyTo = flow.getClientMask() == null ? List.of(clients)
            : flow.nonnullReply().values().stream().map(reply -> new MaskedIp(Values.address(reply.getAddress()),
                Values.address(reply.getMask()))).sorted(Comparator.comparing(MaskedIp::toString)).toList();
        return new FlowRecord(flow.getId().longValue(), new FlowKey(Values.vlan(flow.getVlan()),
            flow.getProtocol().toJava(), clients, Values.address(flow.getTarget()), Values.port(flow.getClientPort()),
            Values.port(flow.getTargetPort())), Values.address(flow.getServer()), replyTo,
            Values.switchId(flow.getClientSide()), Values.switchId(flow.getServerSide()), labels, purpose);
    }

    private static Map<ReplyKey, Reply> replies(final List<MaskedIp> replyTo) {
        return replyTo.stream().map(clients -> new ReplyBuilder().setAddress(Values.address(clients.address()))
            .setMask(Values.address(clients.mask())).build()).collect(BindingMap.toMap());
    }

    static Label label(final PathLabel label) {
        return new Label(Uint32.valueOf(label.number()));
    }

    private static PathLabel label(final Label label) {
        return new PathLabel(label.getValue().toJava());
    }

    private static <K, V extends org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.Hop> List<Hop> ordered(final Map<K, V> hops,
            final Function<K, Uint8> index) {
        return hops.entrySet().stream().sorted(Comparator.comparing(entry -> index.apply(entry.getKey())))
            .map(entry -> hop(entry.getValue())).toList();
    }

    private static Hop hop(final org.opendaylight.yang.gen.v1.urn.sluice.multipath.store.rev261121.Hop hop) {
        return new Hop(Values.portId(hop.getOutSwitch(), hop.getOutPort()),
            Values.portId(hop.getInSwitch(), hop.getInPort()));
    }
}
