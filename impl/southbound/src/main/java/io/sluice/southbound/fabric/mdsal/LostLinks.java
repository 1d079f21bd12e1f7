// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.Subscription;
import io.sluice.southbound.fabric.FabricView;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.topology.discovery.rev130819.LinkDiscovered;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.topology.discovery.rev130819.LinkDiscoveredBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceived;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of links again that OpenDaylight's discovery has lost. It tells of a link once and forgets that when it sees
 * the link go. A link that flaps may come and go within one transaction of the topology: then nobody sees it go, and
 * it would stay away for as long as LLDP crosses it.
 */
final class LostLinks implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(LostLinks.class);
    /** Discovery's own word for a link comes within some ten milliseconds after LLDP has crossed it. */
    static final long PATIENCE_MS = 250;

    private final FabricView view;
    private final NotificationPublishService publisher;
    private final Registration registration;

    /**
     * Starts to listen.
     *
     * @param later runs on the loop of the view, {@link #PATIENCE_MS} later
     * @param reader the port that sent a frame, if it is LLDP of this controller; null otherwise
     */
    LostLinks(final NotificationService notifications, final NotificationPublishService publisher,
            final Executor later, final FabricView view, final Function<byte[], NodeConnectorRef> reader) {
        this.view = view;
        this.publisher = publisher;
        registration = notifications.registerListener(PacketReceived.class, packet -> {
            final var source = reader.apply(packet.getPayload());
            if (source != null) {
                final var link = new LinkDiscoveredBuilder().setSource(source).setDestination(packet.getIngress())
                    .build();
                later.execute(() -> crossed(link));
            }
        });
    }

    @Override
    public void close() {
        registration.close();
    }

    private void crossed(final LinkDiscovered link) {
        Names.port(link.getSource()).ifPresent(source -> Names.port(link.getDestination()).ifPresent(destination -> {
            if (view.isMissing(source, destination)) {
                LOG.info("link-told-again link={}->{}", source, destination);
                publisher.offerNotification(link);
            }
        }));
    }
}
