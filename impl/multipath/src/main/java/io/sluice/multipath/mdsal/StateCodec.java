// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.Path;
import io.sluice.multipath.engine.FlowCounts.Counted;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.engine.MultipathConfig;
import io.sluice.multipath.placement.LinkAdvice;
import io.sluice.multipath.slots.SlotMask;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FlowMovedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FlowPlacedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.PieceNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Placement;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.advise.links.output.Edge;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.advise.links.output.EdgeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.hops.Hop;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.hops.HopBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.hops.HopKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.FlowBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.FlowEvents;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.FlowEventsBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Service;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.ServiceBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.service.ServerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.service.server.PortBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.placement.BackwardBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.placement.ForwardBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.request.transfer.output.Assignment;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.request.transfer.output.AssignmentBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ByteCount;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PacketCount;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Share;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Placed flows in the words of {@code sluice-multipath}. */
final class StateCodec {
    private StateCodec() {
        // functions only
    }

    /**
     * A flow that is placed.
     *
     * @param drainingSince when its server was removed or drained; empty if it may stay there
     */
    static Flow flow(final FlowState flow, final Optional<Instant> drainingSince) {
        return new FlowBuilder(placement(flow)).setId(Uint64.valueOf(flow.record().id()))
            .setTransfer(Values.name(flow.record().purpose().transfer()))
            .setPlaced(Values.time(flow.placed()))
            .setMoves(Uint32.valueOf(flow.moves()))
            .setPackets(new PacketCount(Uint64.valueOf(flow.usage().forward().packets())))
            .setBytes(new ByteCount(Uint64.valueOf(flow.usage().forward().bytes())))
            .setPending(flow.pending().orElse(null))
            .setDrainingSince(drainingSince.map(Values::time).orElse(null)).build();
    }

    /**
     * How busy the servers of a service are.
     *
     * @param reported what a server last said of itself
     * @param drainingSince when flows began to leave a server
     * @param requests how many flows are placed on a port of a server
     */
    static Service service(final MultipathConfig.Service service, final Function<String, Optional<Double>> reported,
            final Function<String, Optional<Instant>> drainingSince,
            final ToIntBiFunction<String, Integer> requests) {
        return new ServiceBuilder().setName(new ObjectName(service.name())).setServer(service.servers().stream()
            .map(server -> new ServerBuilder().setName(new ObjectName(server.name()))
                .setAddress(Values.address(server.address()))
                .setDrainingSince(drainingSince.apply(server.name()).map(Values::time).orElse(null))
                .setReportedLoad(reported.apply(server.name()).map(load -> new Share(Values.ppm(load))).orElse(null))
                .setPort(server.ports().stream().map(port -> new PortBuilder()
                    .setNumber(new PortNumber(Uint16.valueOf(port.number())))
                    .setPiece(new PieceNumber(Uint16.valueOf(port.piece())))
                    .setCurrentRequests(Uint32.valueOf(requests.applyAsInt(server.name(), port.number())))
                    .build()).collect(BindingMap.toMap()))
                .build()).collect(BindingMap.toMap())).build();
    }

    static FlowEvents events(final Map<Counted, Long> totals) {
        return new FlowEventsBuilder().setPlaced(total(totals, Counted.PLACED)).setMoved(total(totals, Counted.MOVED))
            .setWithdrawn(total(totals, Counted.WITHDRAWN)).setRefused(total(totals, Counted.REFUSED))
            .setTransfersRefused(total(totals, Counted.TRANSFERS_REFUSED))
            .setSlotsRefused(total(totals, Counted.SLOTS_REFUSED))
            .setTurnedAway(total(totals, Counted.TURNED_AWAY)).setDropped(total(totals, Counted.DROPPED))
            .setFragmentsRelayed(total(totals, Counted.FRAGMENTS_RELAYED))
            .setFragmentsDropped(total(totals, Counted.FRAGMENTS_DROPPED)).build();
    }

    private static Uint64 total(final Map<Counted, Long> totals, final Counted what) {
        return Uint64.valueOf(totals.getOrDefault(what, 0L));
    }

    static Assignment assignment(final FlowState flow) {
        return new AssignmentBuilder(placement(flow)).setPiece(Values.piece(flow.record().purpose().piece())).build();
    }

    /** A flow that was placed, as its notification begins. */
    static FlowPlacedBuilder placed(final FlowState flow) {
        return new FlowPlacedBuilder(placement(flow)).setId(Uint64.valueOf(flow.record().id()));
    }

    /** A flow that was moved, as its notification begins. */
    static FlowMovedBuilder moved(final FlowState flow) {
        return new FlowMovedBuilder(placement(flow)).setId(Uint64.valueOf(flow.record().id()));
    }

    static Map<HopKey, Hop> hops(final Path path) {
        final var hops = BindingMap.<HopKey, Hop>orderedBuilder();
        for (int i = 0; i < path.links().size(); i++) {
            final var out = path.links().get(i).source();
            hops.add(new HopBuilder().setIndex(Uint8.valueOf(i)).setSwitch(Values.switchId(out.switchId()))
                .setPort(Values.portNumber(out)).build());
        }
        return hops.build();
    }

    static Edge edge(final LinkAdvice.Edge edge) {
        return new EdgeBuilder().setSwitch(Values.switchId(edge.switchId())).setUplinks(Uint16.valueOf(edge.uplinks()))
            .setMissing(Uint16.valueOf(edge.missing())).build();
    }

    private static Placement placement(final FlowState flow) {
        final var record = flow.record();
        final var key = record.key();
        final var purpose = record.purpose();
        return new FlowBuilder().setId(Uint64.valueOf(record.id()))
            .setClient(key.isSlot() ? null : Values.address(key.client()))
            .setSlot(key.isSlot() ? Uint8.valueOf(SlotMask.numberOf(key.clients())) : null)
            .setVlan(Values.vlan(key.vlan())).setClientSwitch(Values.switchId(record.clientSide()))
            .setServerAddress(Values.address(record.server())).setTransport(Values.transport(key.protocol()))
            .setClientPort(Values.port(key.clientPort())).setServerPort(Values.port(key.targetPort()))
            .setService(Values.name(purpose.service())).setServer(Values.name(purpose.server()))
            .setPiece(Values.piece(purpose.piece())).setStrategy(ConfigCodec.strategy(purpose.strategy()))
            .setForward(new ForwardBuilder().setHop(hops(flow.forward())).build())
            .setBackward(new BackwardBuilder().setHop(hops(flow.backward())).build())
            .setExpectedRate(Values.limited(Optional.of(flow.why().expectedRate())))
            .setBindingLink(flow.why().bindingLink().orElse(null)).setRunnerUp(flow.why().runnerUp().orElse(null))
            .build();
    }
}
