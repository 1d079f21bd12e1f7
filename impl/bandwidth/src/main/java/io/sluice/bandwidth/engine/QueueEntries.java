// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Action;
import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Installation;
import io.sluice.api.Owner;
import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.engine.Priorities.Queue;
import java.util.Collection;
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
    private final Executor loop;
    private Map<SwitchId, List<Entry>> declared = Map.of();
    private Optional<String> pending = Optional.empty();

    QueueEntries(final Claim claim, final Executor loop) {
        this.claim = claim;
        this.loop = loop;
    }

    /** Has these switches know these queues and no others; completes when they have answered. */
    CompletionStage<Void> declare(final Collection<SwitchId> switches, final List<Queue> queues) {
        final var entries = queues.stream().flatMap(QueueEntries::entries).toList();
        final Map<SwitchId, List<Entry>> wanted = entries.isEmpty() ? Map.of()
            : switches.stream().collect(Collectors.toMap(Function.identity(), switchId -> entries));
        if (wanted.equals(declared) && pending.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        declared = wanted;
        return (wanted.isEmpty() ? claim.withdraw(OBJECT) : claim.declare(OBJECT, wanted)).thenAcceptAsync(answer ->
            pending = switch (answer) {
                case Installation.InPlace done -> Optional.empty();
                case Installation.Pending missing -> Optional.of("queues: " + missing.told());
            }, loop);
    }

    /** What keeps a switch from it. */
    Optional<String> pending() {
        return pending;
    }

    private static Stream<Entry> entries(final Queue queue) {
        return queue.number().stream().boxed().flatMap(number ->
            LongStream.of(FlowMatch.ETHERNET_IPV4, FlowMatch.ETHERNET_IPV6).mapToObj(type -> new Entry.Flow(
                Pipeline.METER, Pipeline.PRIORITY_MARKED,
                FlowMatch.builder().ethernetType((int) type).codePoint(queue.codePoint()).build(),
                List.of(new Action.SetQueue(number))).goingOnTo(Pipeline.CLASSIFY)));
    }
}
