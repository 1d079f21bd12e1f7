// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify.mdsal;

import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.mdsal.Names;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.southbound.qualify.ProbeWire;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceived;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacket;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.TransmitPacketInputBuilder;
import org.opendaylight.yangtools.concepts.Registration;

/** Probes of one switch. Who sends waits until the last one has gone. */
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
    public CompletionStage<List<Packet>> send(final List<byte[]> frames, final int expected, final Duration over) {
        final long tag = ThreadLocalRandom.current().nextLong();
        final var batch = new Batch(expected);
        underWay.put(tag, batch);
        final long startNs = System.nanoTime();
        for (int i = 0; i < frames.size(); i++) {
            waitUntil(startNs + over.toNanos() * i / frames.size());
            transmit(tagged(frames.get(i), tag));
        }
        CompletableFuture.delayedExecutor(PATIENCE_MS, TimeUnit.MILLISECONDS).execute(batch::end);
        return batch.answer.whenComplete((came, failure) -> underWay.remove(tag));
    }

    @Override
    public void close() {
        registration.close();
    }

    private void transmit(final byte[] frame) {
        rpcService.getRpc(TransmitPacket.class).invoke(new TransmitPacketInputBuilder().setNode(Names.node(switchId))
            .setEgress(Names.connector(switchId, TABLES)).setPayload(frame).build());
    }

    private static void waitUntil(final long timeNs) {
        for (long left = timeNs - System.nanoTime(); left > 0; left = timeNs - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void arrived(final byte[] frame) {
        if (frame != null && frame.length > TAG_LENGTH) {
            final var batch = underWay.get(ByteBuffer.wrap(frame).getLong(frame.length - TAG_LENGTH));
            if (batch != null) {
                batch.add(frame);
            }
        }
    }

    private static byte[] tagged(final byte[] frame, final long tag) {
        return ByteBuffer.allocate(frame.length + TAG_LENGTH).put(frame).putLong(tag).array();
    }
}
