// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.api.Fabric;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Path;
import io.sluice.api.PortQueues;
import io.sluice.api.Routes;
import io.sluice.mdsal.Acting;
import java.util.List;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Runs the bandwidth engine on the controller that acts. */
@Component(service = { })
public final class BandwidthComponent {
    private final Acting<BandwidthApplication> application;
    /** Null as long as nobody places flows. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    private volatile Routes routes;

    /** Waits to be the one that acts. */
    @Activate
    public BandwidthComponent(@Reference final Fabric fabric, @Reference final FlowProgrammer programmer,
            @Reference final PortQueues queues, @Reference final DataBroker dataBroker,
            @Reference final RpcProviderService rpcProvider,
            @Reference final NotificationPublishService publisher,
            @Reference final ClusterSingletonServiceProvider cluster) {
        final var network = new BandwidthApplication.Network(fabric, programmer, this::paths, queues);
        final var broker = new BandwidthApplication.Broker(dataBroker, rpcProvider, publisher);
        application = new Acting<>(cluster, () -> new BandwidthApplication(network, broker));
    }

    /** Stops to act; what is on the switches stays. */
    @Deactivate
    public void close() {
        application.close();
    }

    private List<Path> paths(final FlowMatch match) {
        final var known = routes;
        return known == null ? List.of() : known.of(match);
    }
}
