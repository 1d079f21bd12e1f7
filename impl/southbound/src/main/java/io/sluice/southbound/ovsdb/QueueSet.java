// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import io.sluice.api.Bandwidth;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The queues of a port, in the order in which they are served; none if there should be none of Sluice's.
 *
 * @param capacity of the port
 * @param mark words that tell this from others
 */
record QueueSet(Bandwidth capacity, List<Queue> queues, String mark) {
    static final QueueSet NONE = new QueueSet(Bandwidth.ZERO, List.of(), "");

    /** What a queue has of its own, whatever goes before it: TCP must not give up. */
    private static final Bandwidth OWN = new Bandwidth(8000);
    /** Where packets are that were not put into a queue. */
    private static final long ORDINARY = 0;
    private static final String RATES = "rates";

    /**
     * A queue.
     *
     * @param priority 0 goes first; equals share what is left
     * @param most what it never exceeds
     */
    record Queue(long number, int priority, Bandwidth most) {
        /** What it has whatever others send. */
        Bandwidth least() {
            return OWN;
        }
    }

    QueueSet {
        queues = List.copyOf(queues);
    }

    /** Queues of strict priority, the one that goes first first. */
    static QueueSet priorities(final Bandwidth capacity, final List<Long> numbers) {
        return new QueueSet(capacity, IntStream.range(0, numbers.size())
            .mapToObj(i -> new Queue(numbers.get(i), i, capacity)).toList(),
            capacity.bitsPerSecond() + " priorities " + numbers);
    }

    /** Queues that never exceed their rates, by number, beside the ordinary one. */
    static QueueSet rates(final Bandwidth capacity, final SortedMap<Long, Bandwidth> rates) {
        return new QueueSet(capacity, Stream.concat(Stream.of(new Queue(ORDINARY, 0, capacity)),
            rates.entrySet().stream().map(rate -> new Queue(rate.getKey(), 0, rate.getValue()))).toList(),
            capacity.bitsPerSecond() + " " + RATES + rates.entrySet().stream()
                .map(rate -> " " + rate.getKey() + ":" + rate.getValue().bitsPerSecond())
                .collect(Collectors.joining()));
    }

    /** The rates by number that {@link #rates} made a mark of; none of another mark. */
    static SortedMap<Long, Bandwidth> ratesOf(final String mark) {
        final var words = mark.split(" ");
        return words.length < 2 || !RATES.equals(words[1]) ? new TreeMap<>()
            : Arrays.stream(words).skip(2).map(word -> word.split(":")).collect(Collectors.toMap(
                pair -> Long.valueOf(pair[0]), pair -> new Bandwidth(Long.parseLong(pair[1])),
                (one, other) -> one, TreeMap::new));
    }
}
