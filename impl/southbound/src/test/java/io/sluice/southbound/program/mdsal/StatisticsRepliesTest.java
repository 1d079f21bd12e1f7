// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.TransactionId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupDescStatsUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupDescStatsUpdatedBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yangtools.yang.common.Uint64;

class StatisticsRepliesTest {
    private static final String NODE = "openflow:1";
    private static final TransactionId FIRST = new TransactionId(Uint64.ONE);

    private final FakePlugin plugin = new FakePlugin();
    private final StatisticsReplies replies = new StatisticsReplies(plugin, Duration.ofMinutes(1));

    @Test
    void aReplyMayOvertakeTheQuestionsOwnAnswer() {
        final var session = replies.open(NODE);
        plugin.publish(reply());
        assertEquals(reply(), session.await(GroupDescStatsUpdated.class, FIRST).join());
    }

    @Test
    void aReplyOfAnEarlierSessionIsNotTakenForOneInThisSession() {
        final var before = replies.open(NODE);
        plugin.publish(reply());
        final var answer = replies.open(NODE).await(GroupDescStatsUpdated.class, FIRST);
        assertFalse(answer.isDone());
        plugin.publish(reply());
        assertEquals(reply(), answer.join());
        assertEquals(reply(), before.await(GroupDescStatsUpdated.class, FIRST).join());
    }

    private static GroupDescStatsUpdated reply() {
        return new GroupDescStatsUpdatedBuilder().setId(new NodeId(NODE)).setTransactionId(FIRST).build();
    }
}
