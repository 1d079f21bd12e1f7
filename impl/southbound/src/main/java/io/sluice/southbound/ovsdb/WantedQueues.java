// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** Queues that ports should have. */
sealed interface WantedQueues {
    /** Whether no port should have any, but for those that stay. */
    boolean isNone();

    /**
     * What a port should have; empty if it is to stay as it is.
     *
     * @param capacity empty if it is not known
     * @param mark of the queues of Sluice's that it has; empty without any
     */
    Optional<QueueSet> at(PortId port, Optional<Bandwidth> capacity, Optional<String> mark);

    /**
     * The same at each port: queues of strict priority.
     *
     * @param numbers the one that goes first first; at least one
     */
    record Priorities(List<Long> numbers) implements WantedQueues {
        public Priorities {
            numbers = List.copyOf(numbers);
        }

        @Override
        public boolean isNone() {
            return false;
        }

        @Override
        public Optional<QueueSet> at(final PortId port, final Optional<Bandwidth> capacity,
                final Optional<String> mark) {
            return capacity.map(known -> QueueSet.priorities(known, numbers));
        }
    }

    /**
     * Queues with rates, by port and number.
     *
     * @param stays whether another one with this number stays as it is
     */
    record Rates(Map<PortId, Map<Long, Bandwidth>> rates, LongPredicate stays) implements WantedQueues {
        public Rates {
            rates = Map.copyOf(rates);
        }

        @Override
        public boolean isNone() {
            return rates.isEmpty();
        }

        @Override
        public Optional<QueueSet> at(final PortId port, final Optional<Bandwidth> capacity,
                final Optional<String> mark) {
            final var queues = new TreeMap<>(rates.getOrDefault(port, Map.of()));
            mark.map(QueueSet::ratesOf).ifPresent(held -> held.forEach((number, rate) -> {
                if (stays.test(number)) {
                    queues.putIfAbsent(number, rate);
                }
            }));
            return queues.isEmpty() ? Optional.of(QueueSet.NONE)
                : capacity.map(known -> QueueSet.rates(known, queues));
        }
    }
}
