// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.AddressResolution;
import io.sluice.api.Fabric;
import io.sluice.api.FirstPackets;
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

/** Runs the multipath engine on the controller that acts, and tells there where flows go. */
@Component(service = Routes.class, immediate = true)
public final class MultipathComponent implements ClusterSingletonService, Routes {
    private static final ServiceGroupIdentifier GROUP = new ServiceGroupIdentifier(Leadership.GROUP);

    private final MultipathApplication.Network network;
    private final MultipathApplication.Broker broker;
    private final Registration leadership;
    private MultipathApplication application;

    /** Waits to be the one that acts. */
    @Activate
    public MultipathComponent(@Reference final Fabric fabric, @Reference final FlowProgrammer programmer,
            @Reference final FirstPackets firstPackets, @Reference final AddressResolution resolution,
            @Reference final DataBroker dataBroker, @Reference final RpcProviderService rpcProvider,
            @Reference final NotificationPublishService publisher,
            @Reference final ClusterSingletonServiceProvider cluster) {
        network = new MultipathApplication.Network(fabric, programmer, firstPackets, resolution);
        broker = new MultipathApplication.Broker(dataBroker, rpcProvider, publisher);
        leadership = cluster.registerClusterSingletonService(this);
    }

    @Override
    public ServiceGroupIdentifier getIdentifier() {
        return GROUP;
    }

    @Override
    public synchronized void instantiateServiceInstance() {
        application = new MultipathApplication(network, broker);
    }

    @Override
    public synchronized ListenableFuture<?> closeServiceInstance() {
        if (application != null) {
            application.close();
            application = null;
        }
        return Futures.immediateVoidFuture();
    }

    @Override
    public synchronized List<Path> of(final FlowMatch match) {
        return application == null ? List.of() : application.routes().of(match);
    }

    /** Stops to act; what is on the switches stays. */
    @Deactivate
    public void close() {
        leadership.close();
    }
}
