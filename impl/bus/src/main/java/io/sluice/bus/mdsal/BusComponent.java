// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import io.sluice.api.Bus;
import io.sluice.bus.EmbeddedBus;
import io.sluice.mdsal.Acting;
import java.nio.file.Path;
import java.time.InstantSource;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the bus on the controller that acts. While it is open, {@link Bus} is an OSGi service; another site or address
 * makes another service of it.
 */
@Component(service = { })
public final class BusComponent {
    private static final Logger LOG = LoggerFactory.getLogger(BusComponent.class);
    private static final String DATA = "karaf.data";
    private static final String FOLDER = "sluice-bus";

    private final Acting<BusApplication> application;

    /** Waits to be the one that acts. */
    @Activate
    public BusComponent(final BundleContext context, @Reference final DataBroker dataBroker,
            @Reference final RpcProviderService rpcProvider, @Reference final NotificationPublishService publisher,
            @Reference final ClusterSingletonServiceProvider cluster) {
        final var folder = Path.of(context.getProperty(DATA)).resolve(FOLDER);
        final var broker = new BusApplication.Broker(dataBroker, rpcProvider, publisher);
        application = new Acting<>(cluster, () -> new BusApplication(broker,
            new EmbeddedBus(folder, InstantSource.system(), bus -> offer(context, bus))));
    }

    private static Runnable offer(final BundleContext context, final Bus bus) {
        final var service = context.registerService(Bus.class, bus, null);
        return () -> {
            try {
                service.unregister();
            } catch (IllegalStateException e) {
                LOG.debug("the framework has withdrawn the bus already", e);
            }
        };
    }

    /** Stops to act, and closes the bus. */
    @Deactivate
    public void close() {
        application.close();
    }
}
