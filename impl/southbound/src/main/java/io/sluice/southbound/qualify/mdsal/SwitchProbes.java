// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify.mdsal;

import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.mdsal.Names;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.southbound.qualify.ProbeWire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

/** Probes of one switch. Their last eight octets, behind all that is said of them, tell whose they are. */
final class SwitchProbes implements ProbeWire, Subscription {
    /** Reserved port that stands for the first table (OpenFlow 1.3.5, section 7.2.1, OFPP_TABLE). */
    private static final String TABLES = "TABLE";
    private static final long PATIENCE_MS = 1000;

    private final SwitchId switchId;
    private final RpcService rpcService;
    private final Map<Long, Batch> underWay = new ConcurrentHashMap<>();
    private final Registration registration;

    /** Probes that were sent at a time, and what came back of them. */
    private static final class Batch {
        private final CompletableFuture<List<Packet>> answer = new CompletableFuture<>();
        private final List<Packet> came = new ArrayList<>();
        private final int expected;

        Batch(final int expected) {
            this.expected = expected;
        }

        synchronized void add(final byte[] frame) {
            came.add(Frames.parse(frame));
            if (came.size() == expected) {
                end();
            }
        }

        synchronized void end() {
            answer.complete(List.copyOf(came));
        }
    }

    SwitchProbes(final SwitchId switchId, final RpcService rpcService, final NotificationService notifications) {
        this.switchId = switchId;
        this.rpcService = rpcService;
        registration = notifications.registerListener(PacketReceived.class, packet -> arrived(packet.getPayload()));
    }

    @Override
    public CompletionStage<List<Packet>> send(final List<byte[]> frames, final int expected) {
        final long tag = ThreadLocalRandom.current().nextLong();
        final var batch = new Batch(expected);
        underWay.put(tag, batch);
        frames.forEach(frame -> rpcService.getRpc(TransmitPacket.class).invoke(new TransmitPacketInputBuilder()
            .setNode(Names.node(switchId)).setEgress(Names.connector(switchId, TABLES))
            .setPayload(tagged(frame, tag)).build()));
        CompletableFuture.delayedExecutor(PATIENCE_MS, TimeUnit.MILLISECONDS).execute(batch::end);
        return batch.answer.whenComplete((came, failure) -> underWay.remove(tag));
    }

    @Override
    public void close() {
        registration.close();
    }

    private void arrived(final byte[] frame) {
        if (frame != null && frame.length > Long.BYTES) {
            final var batch = underWay.get(ByteBuffer.wrap(frame).getLong(frame.length - Long.BYTES));
            if (batch != null) {
                batch.add(frame);
            }
        }
    }

    private static byte[] tagged(final byte[] frame, final long tag) {
        return ByteBuffer.allocate(frame.length + Long.BYTES).put(frame).putLong(tag).array();
    }
}
