// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.AddressResolution;
import io.sluice.api.Fabric;
import io.sluice.api.FirstPackets;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Path;
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

/** Runs the multipath engine on the controller that acts, and tells there where flows go. */
@Component(service = Routes.class, immediate = true)
public final class MultipathComponent implements Routes {
    private final Acting<MultipathApplication> application;

    /** Waits to be the one that acts. */
    @Activate
    public MultipathComponent(@Reference final Fabric fabric, @Reference final FlowProgrammer programmer,
            @Reference final FirstPackets firstPackets, @Reference final AddressResolution resolution,
            @Reference final DataBroker dataBroker, @Reference final RpcProviderService rpcProvider,
            @Reference final NotificationPublishService publisher,
            @Reference final ClusterSingletonServiceProvider cluster) {
        final var network = new MultipathApplication.Network(fabric, programmer, firstPackets, resolution);
        final var broker = new MultipathApplication.Broker(dataBroker, rpcProvider, publisher);
        application = new Acting<>(cluster, () -> new MultipathApplication(network, broker));
    }

    @Override
    public List<Path> of(final FlowMatch match) {
        return application.running().map(running -> running.routes().of(match)).orElse(List.of());
    }

    /** Stops to act; what is on the switches stays. */
    @Deactivate
    public void close() {
        application.close();
    }
}
