// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Owner;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetGroupStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetGroupStatisticsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GetGroupDescription;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GetGroupDescriptionInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupDescStatsUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.Group;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads which of Sluice's groups a switch has. Descriptions can be had of all groups together only (OpenFlow 1.3.5,
 * section 7.3.5.7), and the plugin drops the answer or its end if a foreign group has an action it does not know.
 * Counters tell what there is all the same.
 */
final class GroupTable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupTable.class);

    private final Rpcs rpcs;
    private final StatisticsReplies.OfSession replies;
    private boolean told;

    GroupTable(final Rpcs rpcs, final StatisticsReplies.OfSession replies) {
        this.rpcs = rpcs;
        this.replies = replies;
    }

    /** Sluice's groups by id; without a description if that could not be read. */
    CompletableFuture<Map<Long, Optional<Group>>> owned() {
        return ids().thenCompose(ids -> ids.isEmpty() ? CompletableFuture.completedFuture(Map.of())
            : descriptions().thenApply(groups -> match(ids, groups)));
    }

    private CompletableFuture<List<Long>> ids() {
        return rpcs.demand(GetGroupStatistics.class,
                new GetGroupStatisticsInputBuilder().setNode(rpcs.node()).build())
            .thenApply(output -> output.nonnullGroupStats().values().stream()
                .map(group -> group.getGroupId().getValue().toJava()).filter(Owner::ownsGroup).toList());
    }

    /** What can be read; nothing if the switch answers a barrier, but no answer to the question comes through. */
    private CompletableFuture<Collection<? extends Group>> descriptions() {
        return rpcs.demand(GetGroupDescription.class,
                new GetGroupDescriptionInputBuilder().setNode(rpcs.node()).build())
            .thenCompose(answer -> replies.await(GroupDescStatsUpdated.class, answer.getTransactionId()))
            .<Collection<? extends Group>>thenApply(groups -> groups.nonnullGroupDescStats().values())
            .exceptionallyCompose(failure -> isTimeout(failure) ? rpcs.barrier().thenApply(done -> List.of())
                : CompletableFuture.failedFuture(failure));
    }

    private Map<Long, Optional<Group>> match(final List<Long> ids, final Collection<? extends Group> described) {
        final var owned = new HashMap<Long, Optional<Group>>();
        ids.forEach(id -> owned.put(id, Optional.empty()));
        described.forEach(group -> owned.replace(group.getGroupId().getValue().toJava(), Optional.of(group)));
        final long unread = owned.values().stream().filter(Optional::isEmpty).count();
        if (unread > 0 && !told) {
            told = true;
            LOG.warn("groups-unread switch={} groups={} reason=\"a foreign group has an action that the OpenFlow plugin"
                + " does not know\"", rpcs.nodeId(), unread);
        }
        return owned;
    }

    private static boolean isTimeout(final Throwable failure) {
        return (failure instanceof CompletionException ? failure.getCause() : failure) instanceof TimeoutException;
    }
}
