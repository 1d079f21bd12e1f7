// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.mdsal;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Leadership;
import java.util.function.Supplier;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.mdsal.singleton.api.ServiceGroupIdentifier;
import org.opendaylight.yangtools.concepts.Registration;

/** RPCs that only the controller that acts answers. */
public final class ActingRpcs implements ClusterSingletonService {
    private static final ServiceGroupIdentifier GROUP = new ServiceGroupIdentifier(Leadership.GROUP);

    private final Supplier<Registration> registrar;
    private Registration registration = () -> { };

    private ActingRpcs(final Supplier<Registration> registrar) {
        this.registrar = registrar;
    }

    /**
     * Registers RPCs whenever this controller begins to act, and takes them back when it ceases to.
     *
     * @return ends that
     */
    public static Registration offer(final ClusterSingletonServiceProvider cluster,
            final Supplier<Registration> registrar) {
        return cluster.registerClusterSingletonService(new ActingRpcs(registrar));
    }

    @Override
    public ServiceGroupIdentifier getIdentifier() {
        return GROUP;
    }

    @Override
    public void instantiateServiceInstance() {
        registration = registrar.get();
    }

    @Override
    public ListenableFuture<?> closeServiceInstance() {
        registration.close();
        return Futures.immediateVoidFuture();
    }
}
