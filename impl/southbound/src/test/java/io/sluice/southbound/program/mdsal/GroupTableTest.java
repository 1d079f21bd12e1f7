// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetGroupStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetGroupStatisticsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrier;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrierOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.TransactionId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GetGroupDescription;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GetGroupDescriptionOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupDescStatsUpdatedBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.Group;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.desc.stats.reply.GroupDescStats;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.desc.stats.reply.GroupDescStatsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.group.statistics.reply.GroupStatsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

class GroupTableTest {
    private static final String NODE = "openflow:1";
    private static final Owner OWNER = new Owner("multipath", 2);
    private static final long FOREIGN = 77;
    private static final TransactionId TRANSACTION = new TransactionId(Uint64.ONE);

    private final List<String> asked = new ArrayList<>();

    @Test
    void aGroupThatIsCountedAndNotDescribedIsThereWithoutADescription() {
        final long described = OWNER.groupId(1);
        final long lost = OWNER.groupId(2);
        assertEquals(Map.of(described, Optional.of(group(described)), lost, Optional.empty()),
            owned(List.of(FOREIGN, described, lost), Optional.of(List.of(group(FOREIGN), group(described)))));
    }

    @Test
    void groupsAreThereWithoutDescriptionsIfTheAnswerGetsLost() {
        assertEquals(Map.of(OWNER.groupId(1), Optional.empty()),
            owned(List.of(FOREIGN, OWNER.groupId(1)), Optional.empty()));
        assertTrue(asked.contains("barrier"));
    }

    @Test
    void nobodyAsksWhatOthersGroupsAre() {
        assertEquals(Map.of(), owned(List.of(FOREIGN), Optional.empty()));
        assertFalse(asked.contains("descriptions"));
    }

    /**
     * Reads.
     *
     * @param described what comes through of the answer; nothing if it gets lost
     */
    private Map<Long, Optional<Group>> owned(final List<Long> counted,
            final Optional<List<GroupDescStats>> described) {
        final var plugin = new FakePlugin();
        final var statistics = new GetGroupStatisticsOutputBuilder().setGroupStats(counted.stream()
            .map(id -> new GroupStatsBuilder().setGroupId(id(id)).build()).collect(BindingMap.toOrderedMap())).build();
        plugin.provide(GetGroupStatistics.class, (GetGroupStatistics) input -> success(statistics))
            .provide(SendBarrier.class, (SendBarrier) input -> {
                asked.add("barrier");
                return success(new SendBarrierOutputBuilder().build());
            }).provide(GetGroupDescription.class, (GetGroupDescription) input -> {
                asked.add("descriptions");
                described.ifPresent(groups -> plugin.publish(new GroupDescStatsUpdatedBuilder()
                    .setId(new NodeId(NODE)).setTransactionId(TRANSACTION)
                    .setGroupDescStats(groups.stream().collect(BindingMap.toOrderedMap())).build()));
                return success(new GetGroupDescriptionOutputBuilder().setTransactionId(TRANSACTION).build());
            });
        final var replies = new StatisticsReplies(plugin, Duration.ofMillis(described.isPresent() ? 60_000 : 1));
        return new GroupTable(new Rpcs(plugin, NODE), replies.open(NODE)).owned().join();
    }

    private static <O> ListenableFuture<RpcResult<O>> success(final O output) {
        return RpcResultBuilder.success(output).buildFuture();
    }

    private static GroupDescStats group(final long id) {
        return new GroupDescStatsBuilder().setGroupId(id(id)).build();
    }

    private static GroupId id(final long id) {
        return new GroupId(Uint32.valueOf(id));
    }
}
