// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Queues that hold flows to their rates where these leave their first switch, each the flow's own. Those that an
 * earlier controller has left stay as they are: all until it is known whose they are ({@link #restored}), then those of
 * flows of which nothing new is known. Runs on {@code loop}.
 */
final class RateQueues {
    private final PortQueues ports;
    private final Executor loop;
    /** By the number of the flow. */
    private final Map<Integer, Metering> wanted = new HashMap<>();
    private Optional<Wish> told = Optional.empty();
    private Map<PortId, String> faults = Map.of();
    private boolean restored;
    private boolean closed;

    /**
     * What ports should have.
     *
     * @param left numbers of queues that stay as they are
     * @param areAllLeft so do all others
     */
    private record Wish(Map<PortId, Map<Long, Bandwidth>> rates, Set<Long> left, boolean areAllLeft) { }

    RateQueues(final PortQueues ports, final Executor loop) {
        this.ports = ports;
        this.loop = loop;
    }

    /** A flow that queues hold, by its number. */
    void put(final int number, final Metering metering) {
        if (isNumbered(number)) {
            wanted.put(number, metering);
        }
    }

    /** A flow that needs its queues no more. */
    void remove(final int number) {
        wanted.remove(number);
    }

    /** All that an earlier controller has left is known. */
    void restored() {
        restored = true;
    }

    /** Leaves the ports to the next controller. */
    void close() {
        closed = true;
    }

    /** Asks whether the ports still have what they should, if they should have any. */
    CompletionStage<Void> look() {
        return wanted.isEmpty() ? CompletableFuture.completedStage(null) : tell(wish());
    }

    /** Has the ports have what was put; completes when they have answered, at once if there is nothing new. */
    CompletionStage<Void> settle() {
        final var wish = wish();
        return told.equals(Optional.of(wish)) && faults.isEmpty() ? CompletableFuture.completedStage(null) : tell(wish);
    }

    /** Why queues don't hold the flow with this number. */
    Optional<String> fault(final int number, final Metering metering) {
        if (!metering.isQueued()) {
            return Optional.empty();
        }
        if (!isNumbered(number)) {
            return Optional.of("no number is left for its queue");
        }
        final var rates = metering.queueRates();
        return rates.entrySet().stream().filter(rate -> rate.getValue().compareTo(PortQueues.LEAST_RATE) < 0)
            .map(rate -> "no queue has less than " + PortQueues.LEAST_RATE + ", and it has " + rate.getValue() + " at "
                + rate.getKey()).findFirst()
            .or(() -> rates.keySet().stream().filter(faults::containsKey).sorted().findFirst()
                .map(port -> "port " + port + " has no queue for it: " + faults.get(port)));
    }

    private CompletionStage<Void> tell(final Wish wish) {
        if (closed) {
            return CompletableFuture.completedStage(null);
        }
        told = Optional.of(wish);
        return ports.wantRates(wish.rates(), number -> wish.areAllLeft() || wish.left().contains(number))
            .thenAcceptAsync(answer -> faults = answer, loop);
    }

    private Wish wish() {
        final var rates = new HashMap<PortId, Map<Long, Bandwidth>>();
        final var left = new HashSet<Long>();
        wanted.forEach((number, metering) -> {
            if (metering.isLeft()) {
                left.add(Metering.queueNumber(number));
            }
            metering.queueRates().forEach((port, rate) -> {
                if (rate.compareTo(PortQueues.LEAST_RATE) >= 0) {
                    rates.computeIfAbsent(port, first -> new HashMap<>()).put(Metering.queueNumber(number), rate);
                }
            });
        });
        return new Wish(rates, left, !restored);
    }

    private static boolean isNumbered(final int number) {
        return Metering.queueNumber(number) <= PortQueues.MAX_NUMBER;
    }
}
