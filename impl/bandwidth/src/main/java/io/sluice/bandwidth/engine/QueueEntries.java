// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Action;
import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Owner;
import io.sluice.api.Pipeline;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.engine.Patience.Question;
import io.sluice.bandwidth.engine.Priorities.Queue;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Has switches put packets that bear the mark of a queue with a number into that queue, on all their way. Where packets
 * are marked, the entry that marks them does it, which takes them before these.
 *
 * <p>All methods run on {@code loop}, one {@link #declare} at a time.
 */
final class QueueEntries {
    /** The object after those of flows. */
    private static final long OBJECT = Owner.MAX_METER + 1L;

    private final Claim claim;
    private final Patience patience;
    private final Executor loop;
    private Map<SwitchId, List<Entry>> declared = Map.of();
    private boolean isAnswered = true;
    /** What keeps switches from what is declared. */
    private Map<SwitchId, String> pending = Map.of();

    QueueEntries(final Claim claim, final Patience patience, final Executor loop) {
        this.claim = claim;
        this.patience = patience;
        this.loop = loop;
    }

    /** Has these switches know these queues and no others; completes when they have answered, if they do in time. */
    CompletionStage<Void> declare(final Collection<SwitchId> switches, final List<Queue> queues) {
        final var entries = queues.stream().flatMap(QueueEntries::entries).toList();
        final Map<SwitchId, List<Entry>> wanted = entries.isEmpty() ? Map.of()
            : switches.stream().collect(Collectors.toMap(Function.identity(), switchId -> entries));
        if (wanted.equals(declared) && (pending.isEmpty() || !isAnswered)) {
            return CompletableFuture.completedStage(null);
        }
        final var changed = new HashMap<>(wanted);
        changed.entrySet().removeAll(declared.entrySet());
        pending = Attempt.unconfirmed(changed.keySet());
        declared = wanted;
        isAnswered = false;
        final var answer = wanted.isEmpty() ? claim.withdraw(OBJECT) : claim.declare(OBJECT, wanted);
        return patience.await(List.of(new Question(changed.keySet(), answer.thenAcceptAsync(said -> {
            if (declared == wanted) {
                isAnswered = true;
                pending = Attempt.reasons(said);
            }
        }, loop), () -> { })));
    }

    /** What keeps a switch that a flow passes from it. */
    Optional<String> pending(final Way.Known way) {
        return way.ports().stream().map(PortId::switchId).filter(pending::containsKey).sorted().findFirst()
            .map(switchId -> "queues: " + switchId + ": " + pending.get(switchId));
    }

    private static Stream<Entry> entries(final Queue queue) {
        return queue.number().stream().boxed().flatMap(number ->
            LongStream.of(FlowMatch.ETHERNET_IPV4, FlowMatch.ETHERNET_IPV6).mapToObj(type -> new Entry.Flow(
                Pipeline.METER, Pipeline.PRIORITY_MARKED,
                FlowMatch.builder().ethernetType((int) type).codePoint(queue.codePoint()).build(),
                List.of(new Action.SetQueue(number))).goingOnTo(Pipeline.CLASSIFY)));
    }
}
