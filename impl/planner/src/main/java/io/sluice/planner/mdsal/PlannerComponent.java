// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.mdsal.Acting;
import io.sluice.mdsal.Loop;
import io.sluice.mdsal.Notifier;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Plans on the controller that acts. */
@Component(service = { })
public final class PlannerComponent {
    private final Acting<PlannerApplication> application;

    /** Waits to be the one that acts. */
    @Activate
    public PlannerComponent(@Reference final DataBroker dataBroker, @Reference final RpcProviderService rpcProvider,
            @Reference final NotificationPublishService publisher,
            @Reference final ClusterSingletonServiceProvider cluster) {
        application = new Acting<>(cluster,
            () -> new PlannerApplication(dataBroker, rpcProvider, new Notifier(publisher), System::nanoTime,
                new Loop("sluice-planner-timer")));
    }

    /** Stops to act; runs under way end. */
    @Deactivate
    public void close() {
        application.close();
    }
}
