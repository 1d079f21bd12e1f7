// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Leadership;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.mdsal.singleton.api.ServiceGroupIdentifier;
import org.opendaylight.yangtools.concepts.Registration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Plans on the controller that acts. */
@Component(service = { })
public final class PlannerComponent implements ClusterSingletonService {
    private static final ServiceGroupIdentifier GROUP = new ServiceGroupIdentifier(Leadership.GROUP);

    private final DataBroker dataBroker;
    private final RpcProviderService rpcProvider;
    private final Registration leadership;
    private PlannerApplication application;

    /** Waits to be the one that acts. */
    @Activate
    public PlannerComponent(@Reference final DataBroker dataBroker, @Reference final RpcProviderService rpcProvider,
            @Reference final ClusterSingletonServiceProvider cluster) {
        this.dataBroker = dataBroker;
        this.rpcProvider = rpcProvider;
        leadership = cluster.registerClusterSingletonService(this);
    }

    @Override
    public ServiceGroupIdentifier getIdentifier() {
        return GROUP;
    }

    @Override
    public synchronized void instantiateServiceInstance() {
        application = new PlannerApplication(dataBroker, rpcProvider);
    }

    @Override
    public synchronized ListenableFuture<?> closeServiceInstance() {
        if (application != null) {
            application.close();
            application = null;
        }
        return Futures.immediateVoidFuture();
    }

    /** Stops to act; runs under way end. */
    @Deactivate
    public void close() {
        leadership.close();
    }
}
