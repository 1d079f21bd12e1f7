// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import io.sluice.api.Bandwidth;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The queues of a port, in the order in which they are served; none if there should be none of Sluice's.
 *
 * @param capacity of the port
 */
record QueueSet(Bandwidth capacity, List<Queue> queues) {
    static final QueueSet NONE = new QueueSet(Bandwidth.ZERO, List.of());

    /** What a queue has of its own, whatever goes before it: TCP must not give up. */
    private static final Bandwidth OWN = new Bandwidth(8000);
    /** Where packets are that were not put into a queue. */
    private static final long ORDINARY = 0;

    /**
     * A queue.
     *
     * @param priority 0 goes first
     * @param least what it has whatever others send
     * @param most what it never exceeds
     */
    record Queue(long number, int priority, Bandwidth least, Bandwidth most) { }

    QueueSet {
        queues = List.copyOf(queues);
    }

    /** Queues of strict priority, the one that goes first first. */
    static QueueSet priorities(final Bandwidth capacity, final List<Long> numbers) {
        return new QueueSet(capacity, IntStream.range(0, numbers.size())
            .mapToObj(i -> new Queue(numbers.get(i), i, OWN, capacity)).toList());
    }

    /** Queues that have their rates, by number, beside one that has what these leave. */
    static QueueSet rates(final Bandwidth capacity, final Map<Long, Bandwidth> rates) {
        return new QueueSet(capacity, Stream.concat(Stream.of(new Queue(ORDINARY, 0, OWN, capacity)),
            rates.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(rate -> new Queue(rate.getKey(), 0, rate.getValue(), rate.getValue()))).toList());
    }

    /** Tells it from others. */
    String mark() {
        return capacity.bitsPerSecond() + " " + queues.stream().map(queue -> queue.number() + ":"
            + queue.least().bitsPerSecond() + "-" + queue.most().bitsPerSecond()).toList();
    }
}
