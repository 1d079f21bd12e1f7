// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.sluice.api.Subscription;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.NotificationService.CompositeListener;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.TransactionId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupDescStatsUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.MeterConfigStatsUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.MeterFeaturesUpdated;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * Answers to those statistics requests that the OpenFlow plugin answers by notification: what a group or meter is, and
 * how many meters there may be, can be asked for in no other way. The notification may overtake the RPC's own answer.
 */
final class StatisticsReplies implements Subscription {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Cache<Key, CompletableFuture<Object>> replies =
        CacheBuilder.newBuilder().expireAfterWrite(PATIENCE.multipliedBy(2)).build();
    private final Registration registration;

    private record Key(NodeId node, Class<?> kind, TransactionId transaction) { }

    StatisticsReplies(final NotificationService notifications) {
        registration = notifications.registerCompositeListener(new CompositeListener(Set.of(
            new CompositeListener.Component<>(GroupDescStatsUpdated.class, reply ->
                arrived(new Key(reply.getId(), GroupDescStatsUpdated.class, reply.getTransactionId()), reply)),
            new CompositeListener.Component<>(MeterConfigStatsUpdated.class, reply ->
                arrived(new Key(reply.getId(), MeterConfigStatsUpdated.class, reply.getTransactionId()), reply)),
            new CompositeListener.Component<>(MeterFeaturesUpdated.class, reply ->
                arrived(new Key(reply.getId(), MeterFeaturesUpdated.class, reply.getTransactionId()), reply)))));
    }

    /** Completes with the reply of that kind to that transaction; fails if it does not come within some seconds. */
    <N> CompletableFuture<N> await(final String node, final Class<N> kind,
            final TransactionId transaction) {
        return reply(new Key(new NodeId(node), kind, transaction)).thenApply(kind::cast)
            .orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        registration.close();
    }

    private void arrived(final Key key, final Object reply) {
        reply(key).complete(reply);
    }

    private CompletableFuture<Object> reply(final Key key) {
        try {
            return replies.get(key, CompletableFuture::new);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a constructor failed", e);
        }
    }
}
