// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify.mdsal;

import io.sluice.api.MacAddress;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.mdsal.Names;
import io.sluice.southbound.qualify.ProbeWire;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceived;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacket;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacketInputBuilder;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * Probes of one switch:
 * <pre>
 *  0            6       12      14            22          60
 *  | destination | source | 0x88b5 | random tag | zeros    |
 * </pre>
 */
final class SwitchProbes implements ProbeWire, Subscription {
    /** Reserved port that stands for the first table (OpenFlow 1.3.5, section 7.2.1, OFPP_TABLE). */
    private static final String TABLES = "TABLE";
    private static final int LENGTH = 60;
    private static final int TYPE_OFFSET = 12;
    private static final int TAG_OFFSET = 14;
    private static final int ADDRESS_LENGTH = 6;
    private static final long PATIENCE_MS = 1000;
    /** Nobody's, and none that a probe is sent to. */
    private static final MacAddress SOURCE = new MacAddress(0x5251L << 32);

    private final SwitchId switchId;
    private final RpcService rpcService;
    private final Map<Long, CompletableFuture<MacAddress>> underWay = new ConcurrentHashMap<>();
    private final Registration registration;

    SwitchProbes(final SwitchId switchId, final RpcService rpcService, final NotificationService notifications) {
        this.switchId = switchId;
        this.rpcService = rpcService;
        registration = notifications.registerListener(PacketReceived.class, packet -> arrived(packet.getPayload()));
    }

    @Override
    public CompletionStage<MacAddress> send(final MacAddress destination) {
        final long tag = ThreadLocalRandom.current().nextLong();
        final var back = new CompletableFuture<MacAddress>();
        underWay.put(tag, back);
        rpcService.getRpc(TransmitPacket.class).invoke(new TransmitPacketInputBuilder()
            .setNode(Names.node(switchId)).setEgress(Names.connector(switchId, TABLES))
            .setPayload(frame(destination, tag)).build());
        return back.orTimeout(PATIENCE_MS, TimeUnit.MILLISECONDS).whenComplete((address, failure) ->
            underWay.remove(tag));
    }

    @Override
    public void close() {
        registration.close();
    }

    private void arrived(final byte[] frame) {
        if (frame == null || frame.length < LENGTH) {
            return;
        }
        final var buffer = ByteBuffer.wrap(frame);
        if ((buffer.getShort(TYPE_OFFSET) & 0xffff) == ETHERNET_TYPE) {
            final var waiting = underWay.get(buffer.getLong(TAG_OFFSET));
            if (waiting != null) {
                waiting.complete(new MacAddress(buffer.getLong(0) >>> Short.SIZE));
            }
        }
    }

    private static byte[] frame(final MacAddress destination, final long tag) {
        final var frame = ByteBuffer.allocate(LENGTH).putLong(destination.value() << Short.SIZE)
            .putLong(ADDRESS_LENGTH, SOURCE.value() << Short.SIZE);
        return frame.putShort(TYPE_OFFSET, (short) ETHERNET_TYPE).putLong(TAG_OFFSET, tag).array();
    }
}
