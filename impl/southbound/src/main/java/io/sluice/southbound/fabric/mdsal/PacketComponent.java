// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.AddressResolution;
import io.sluice.api.FirstPackets;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.southbound.fabric.PacketDesk;
import java.net.InetAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Packets that switches send up. They are looked at only while this node acts. */
@Component(service = { FirstPackets.class, AddressResolution.class, PacketComponent.class })
public final class PacketComponent implements FirstPackets, AddressResolution {
    /** Hosts whose port has long been down are looked for this often. */
    private static final long SETTLE_S = 60;
    /** Hosts that are missed are sought at new edge ports this often. */
    private static final long SEEK_S = 1;

    private final ScheduledExecutorService loop;
    private final PacketDesk desk;
    private final Subscription view;
    private final Subscription packets;
    private final ScheduledFuture<?> settling;
    private final ScheduledFuture<?> seeking;
    /** Belongs to the loop. */
    private boolean acting;

    /** Starts to receive. */
    @Activate
    public PacketComponent(@Reference final FabricComponent fabric, @Reference final RpcService rpcService,
            @Reference final NotificationService notifications) {
        loop = fabric.loop();
        desk = new PacketDesk(fabric.view(), new SwitchPackets(rpcService), System::nanoTime);
        view = fabric.subscribe(desk::update);
        settling = loop.scheduleWithFixedDelay(() -> desk.update(fabric.snapshot()), SETTLE_S, SETTLE_S,
            TimeUnit.SECONDS);
        seeking = loop.scheduleWithFixedDelay(this::seek, SEEK_S, SEEK_S, TimeUnit.SECONDS);
        packets = SwitchPackets.receive(notifications, (port, frame) -> loop.execute(() -> packet(port, frame)));
    }

    @Override
    public Subscription subscribe(final Consumer<FirstPacket> listener) {
        return desk.subscribe(listener);
    }

    @Override
    public void release(final FirstPacket packet) {
        desk.release(packet);
    }

    @Override
    public void refuse(final FirstPacket packet) {
        desk.refuse(packet);
    }

    @Override
    public boolean opens(final FirstPacket packet) {
        return desk.opens(packet);
    }

    @Override
    public boolean relay(final FirstPacket packet, final InetAddress source, final InetAddress destination) {
        return desk.relay(packet, source, destination);
    }

    @Override
    public Subscription answerFor(final InetAddress address) {
        return desk.answerFor(address);
    }

    /** Stops receiving. */
    @Deactivate
    public void close() {
        packets.close();
        seeking.cancel(false);
        settling.cancel(false);
        view.close();
    }

    PacketDesk desk() {
        return desk;
    }

    /** Says whether this node acts; to be called on the loop. */
    void act(final boolean now) {
        acting = now;
    }

    private void seek() {
        if (acting) {
            desk.seek();
        }
    }

    private void packet(final PortId port, final byte[] frame) {
        if (acting) {
            desk.packet(port, frame);
        }
    }
}
