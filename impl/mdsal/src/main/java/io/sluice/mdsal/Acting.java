// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import java.util.Optional;
import java.util.function.Supplier;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.mdsal.singleton.api.ServiceGroupIdentifier;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * What runs on the controller that acts, and on no other: in a cluster every controller sees, one acts. All
 * applications act on the same one, since they share its switches. Thread-safe.
 *
 * @param <T> what runs
 */
public final class Acting<T extends Registration> implements Registration {
    /** Who is in it acts where all others in it act. */
    public static final ServiceGroupIdentifier GROUP = new ServiceGroupIdentifier("sluice");

    private final Supplier<T> starter;
    private final Registration leadership;
    private volatile Optional<T> running = Optional.empty();

    /**
     * Waits for this controller to be the one that acts; until this is closed, it starts whenever that begins, and
     * closes what it started whenever that ends.
     *
     * @param starter starts what is to run
     */
    public Acting(final ClusterSingletonServiceProvider cluster, final Supplier<T> starter) {
        this.starter = starter;
        leadership = cluster.registerClusterSingletonService(new Service());
    }

    /** What runs now; nothing as long as another controller acts. */
    public Optional<T> running() {
        return running;
    }

    @Override
    public void close() {
        leadership.close();
    }

    private final class Service implements ClusterSingletonService {
        @Override
        public ServiceGroupIdentifier getIdentifier() {
            return GROUP;
        }

        @Override
        public synchronized void instantiateServiceInstance() {
            running = Optional.of(starter.get());
        }

        @Override
        public synchronized ListenableFuture<?> closeServiceInstance() {
            final var ended = running;
            running = Optional.empty();
            ended.ifPresent(Registration::close);
            return Futures.immediateVoidFuture();
        }
    }
}
