// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.sluice.api.Subscription;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
 *
 * <p>The plugin counts transactions anew in each connection of a switch, so that answers are kept by session: what came
 * in an earlier one is never taken for an answer in this one.
 */
final class StatisticsReplies implements Subscription {
    private final Duration patience;
    private final Map<NodeId, OfSession> sessions = new ConcurrentHashMap<>();
    private final Registration registration;

    /** What came in one session of a switch. */
    final class OfSession {
        private final Cache<Key, CompletableFuture<Object>> replies =
            CacheBuilder.newBuilder().expireAfterWrite(patience.multipliedBy(2)).build();

        /** Completes with the reply of that kind to that transaction; fails if it does not come in time. */
        <N> CompletableFuture<N> await(final Class<N> kind, final TransactionId transaction) {
            return reply(new Key(kind, transaction)).thenApply(kind::cast)
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        }

        private CompletableFuture<Object> reply(final Key key) {
            try {
                return replies.get(key, CompletableFuture::new);
            } catch (ExecutionException e) {
                throw new IllegalStateException("a constructor failed", e);
            }
        }
    }

    private record Key(Class<?> kind, TransactionId transaction) { }

    /**
     * Starts to listen.
     *
     * @param patience how long a reply is waited for
     */
    StatisticsReplies(final NotificationService notifications, final Duration patience) {
        this.patience = patience;
        registration = notifications.registerCompositeListener(new CompositeListener(Set.of(
            component(GroupDescStatsUpdated.class, GroupDescStatsUpdated::getId),
            component(GroupFeaturesUpdated.class, GroupFeaturesUpdated::getId),
            component(MeterConfigStatsUpdated.class, MeterConfigStatsUpdated::getId),
            component(MeterFeaturesUpdated.class, MeterFeaturesUpdated::getId))));
    }

    /** Begins a session of a switch; the one before, if any, gets no replies any more. */
    OfSession open(final String node) {
        final var session = new OfSession();
        sessions.put(new NodeId(node), session);
        return session;
    }

    @Override
    public void close() {
        registration.close();
    }

    private <N extends Notification<N> & DataObject & TransactionAware> CompositeListener.Component<N> component(
            final Class<N> kind, final Function<N, NodeId> node) {
        return new CompositeListener.Component<>(kind, reply -> {
            final var session = sessions.get(node.apply(reply));
            if (session != null) {
                session.reply(new Key(kind, reply.getTransactionId())).complete(reply);
            }
        });
    }
}
