// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Fabric;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Leadership;
import io.sluice.api.Path;
import io.sluice.api.Routes;
import java.util.List;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.mdsal.singleton.api.ServiceGroupIdentifier;
import org.opendaylight.yangtools.concepts.Registration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Runs the bandwidth engine on the controller that acts. */
@Component(service = { })
public final class BandwidthComponent implements ClusterSingletonService {
    private static final ServiceGroupIdentifier GROUP = new ServiceGroupIdentifier(Leadership.GROUP);

    private final BandwidthApplication.Network network;
    private final BandwidthApplication.Broker broker;
    private final Registration leadership;
    /** Null as long as nobody places flows. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    private volatile Routes routes;
    private BandwidthApplication application;

    /** Waits to be the one that acts. */
    @Activate
    public BandwidthComponent(@Reference final Fabric fabric, @Reference final FlowProgrammer programmer,
            @Reference final DataBroker dataBroker, @Reference final RpcProviderService rpcProvider,
            @Reference final NotificationPublishService publisher,
            @Reference final ClusterSingletonServiceProvider cluster) {
        network = new BandwidthApplication.Network(fabric, programmer, this::paths);
        broker = new BandwidthApplication.Broker(dataBroker, rpcProvider, publisher);
        leadership = cluster.registerClusterSingletonService(this);
    }

    @Override
    public ServiceGroupIdentifier getIdentifier() {
        return GROUP;
    }

    @Override
    public synchronized void instantiateServiceInstance() {
        application = new BandwidthApplication(network, broker);
    }

    @Override
    public synchronized ListenableFuture<?> closeServiceInstance() {
        if (application != null) {
            application.close();
            application = null;
        }
        return Futures.immediateVoidFuture();
    }

    /** Stops to act; what is on the switches stays. */
    @Deactivate
    public void close() {
        leadership.close();
    }

    private List<Path> paths(final FlowMatch match) {
        final var known = routes;
        return known == null ? List.of() : known.of(match);
    }
}
