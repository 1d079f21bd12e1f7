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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Has switches put packets that bear the mark of a queue with a number into that queue, on all their way. Where packets
 * are marked, the entry that marks them does it, which takes them before these.
 *
 * <p>All methods run on {@code loop}, one {@link #declare} at a time.
 */
final class QueueEntries {
    /** Objects of switches are numbered after those of flows. */
    private static final long FIRST_OBJECT = Owner.MAX_METER + 1L;
    private static final long OBJECTS = 1L << Integer.SIZE;

    private final Claim claim;
    private final Patience patience;
    private final Executor loop;
    private final Runnable late;
    private final Map<SwitchId, Long> objects = new HashMap<>();
    /** What each switch was asked for last, if it was for anything. */
    private final Map<SwitchId, List<Entry>> declared = new HashMap<>();
    /** Switches that still have to answer; they are asked nothing more until then. */
    private final Set<SwitchId> unanswered = new HashSet<>();
    /** What keeps switches from what is declared. */
    private final Map<SwitchId, String> pending = new HashMap<>();

    /**
     * Has declared nothing.
     *
     * @param late what is to be done when a switch has done what it was asked, that was no longer waited for
     */
    QueueEntries(final Claim claim, final Patience patience, final Executor loop, final Runnable late) {
        this.claim = claim;
        this.patience = patience;
        this.loop = loop;
        this.late = late;
    }

    /** Has these switches know these queues and no others; completes when they have answered, if they do in time. */
    CompletionStage<Void> declare(final Collection<SwitchId> switches, final List<Queue> queues) {
        final var entries = queues.stream().flatMap(QueueEntries::entries).toList();
        return patience.await(Stream.concat(switches.stream(), declared.keySet().stream()).distinct()
            .filter(switchId -> !unanswered.contains(switchId)).toList().stream()
            .flatMap(switchId -> declare(switchId, switches.contains(switchId) ? entries : List.of()).stream())
            .toList());
    }

    private Optional<Question> declare(final SwitchId switchId, final List<Entry> wanted) {
        if (wanted.equals(declared.getOrDefault(switchId, List.of())) && !pending.containsKey(switchId)) {
            return Optional.empty();
        }
        unanswered.add(switchId);
        declared.put(switchId, wanted);
        final long object = objects.computeIfAbsent(switchId, this::number);
        final var answer = wanted.isEmpty() ? claim.withdraw(object)
            : claim.declare(object, Map.of(switchId, wanted));
        return Optional.of(new Question(Set.of(switchId), answer.thenAcceptAsync(said -> {
            unanswered.remove(switchId);
            pending.remove(switchId);
            if (wanted.isEmpty()) {
                declared.remove(switchId);
            } else {
                pending.putAll(Attempt.reasons(said));
            }
        }, loop), () -> pending.putAll(Attempt.unconfirmed(Set.of(switchId))))
            .orLate(() -> !pending.containsKey(switchId), late));
    }

    /** The same with the next controller, which then has nothing to change, but for rare switches. */
    private long number(final SwitchId switchId) {
        return LongStream.range(0, OBJECTS).map(tried ->
            FIRST_OBJECT + (Integer.toUnsignedLong(switchId.value().hashCode()) + tried) % OBJECTS)
            .filter(number -> !objects.containsValue(number)).findFirst().orElseThrow();
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
