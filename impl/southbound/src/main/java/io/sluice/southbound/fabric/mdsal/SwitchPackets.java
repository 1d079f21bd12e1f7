// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.PacketWire;
import java.util.function.BiConsumer;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceived;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacket;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacketInputBuilder;
import org.opendaylight.yangtools.concepts.Registration;

/** Packets from and to the switches, through the OpenFlow plugin. */
final class SwitchPackets implements PacketWire {
    private static final String TABLE = "TABLE";
    private static final int ETHERTYPE_OFFSET = 12;
    private static final int ETHERNET_HEADER = 14;
    private static final int LLDP = 0x88cc;

    private final RpcService rpcService;

    SwitchPackets(final RpcService rpcService) {
        this.rpcService = rpcService;
    }

    /** Hands every packet that a switch sends up to {@code listener}, but for LLDP, which is discovery's. */
    static Subscription receive(final NotificationService notifications, final BiConsumer<PortId, byte[]> listener) {
        final Registration registration = notifications.registerListener(PacketReceived.class, packet -> {
            final var frame = packet.getPayload();
            if (frame != null && frame.length >= ETHERNET_HEADER && etherType(frame) != LLDP) {
                Names.port(packet.getIngress()).ifPresent(port -> listener.accept(port, frame));
            }
        });
        return registration::close;
    }

    @Override
    public void send(final PortId port, final byte[] frame) {
        rpcService.getRpc(TransmitPacket.class).invoke(
            builder(port.switchId(), Long.toString(port.number()), frame).build());
    }

    @Override
    public void resubmit(final PortId ingress, final byte[] frame) {
        rpcService.getRpc(TransmitPacket.class).invoke(builder(ingress.switchId(), TABLE, frame)
            .setIngress(Names.connector(ingress.switchId(), Long.toString(ingress.number()))).build());
    }

    private static TransmitPacketInputBuilder builder(final SwitchId switchId, final String egress,
            final byte[] frame) {
        return new TransmitPacketInputBuilder().setNode(Names.node(switchId))
            .setEgress(Names.connector(switchId, egress)).setPayload(frame);
    }

    private static int etherType(final byte[] frame) {
        return (frame[ETHERTYPE_OFFSET] & 0xff) << 8 | frame[ETHERTYPE_OFFSET + 1] & 0xff;
    }
}
