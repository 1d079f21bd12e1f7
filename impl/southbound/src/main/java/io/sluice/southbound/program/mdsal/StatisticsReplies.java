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
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.NotificationService.CompositeListener;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.TransactionAware;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.TransactionId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupDescStatsUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupFeaturesUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.MeterConfigStatsUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.MeterFeaturesUpdated;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.Notification;
import org.opendaylight.yangtools.concepts.Registration;

/**
 * Answers to those statistics requests that the OpenFlow plugin answers by notification: what a group or meter is, and
 * what groups and meters there may be, can be asked for in no other way. The notification may overtake the RPC's own
 * answer.
 */
final class StatisticsReplies implements Subscription {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Cache<Key, CompletableFuture<Object>> replies =
        CacheBuilder.newBuilder().expireAfterWrite(PATIENCE.multipliedBy(2)).build();
    private final Registration registration;

    private record Key(NodeId node, Class<?> kind, TransactionId transaction) { }

    StatisticsReplies(final NotificationService notifications) {
        registration = notifications.registerCompositeListener(new CompositeListener(Set.of(
            component(GroupDescStatsUpdated.class, GroupDescStatsUpdated::getId),
            component(GroupFeaturesUpdated.class, GroupFeaturesUpdated::getId),
            component(MeterConfigStatsUpdated.class, MeterConfigStatsUpdated::getId),
            component(MeterFeaturesUpdated.class, MeterFeaturesUpdated::getId))));
    }

    private <N extends Notification<N> & DataObject & TransactionAware> CompositeListener.Component<N> component(
            final Class<N> kind, final Function<N, NodeId> node) {
        return new CompositeListener.Component<>(kind, reply ->
            arrived(new Key(node.apply(reply), kind, reply.getTransactionId()), reply));
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
