// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import io.sluice.api.PortQueues.Fault;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

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
    private Map<PortId, Fault> faults = Map.of();
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

    /** A flow that queues are to hold, by its number; it can be. */
    void put(final int number, final Metering metering) {
        wanted.put(number, metering);
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

    /** Why no queues could ever hold a flow so. */
    static Optional<String> unfit(final int number, final Metering metering) {
        return Metering.queueNumber(number) > PortQueues.MAX_NUMBER
            ? Optional.of("no number is left for its queue; remove flows that need none")
            : metering.queueRates().entrySet().stream()
                .filter(rate -> rate.getValue().compareTo(PortQueues.LEAST_RATE) < 0)
                .map(rate -> "no queue has less than " + PortQueues.LEAST_RATE + ", and it has " + rate.getValue()
                    + " at port " + rate.getKey()).findFirst();
    }

    /** Why its queues don't hold a flow. */
    Optional<String> fault(final Metering metering) {
        return faulty(metering).sorted().findFirst().map(port -> faults.get(port).told(port));
    }

    /** Whether its queues may be there as they were before, where there is a fault. */
    boolean mayRemain(final Metering metering) {
        return faulty(metering).allMatch(port -> faults.get(port).mayRemain());
    }

    private Stream<PortId> faulty(final Metering metering) {
        return metering.queueRates().keySet().stream().filter(faults::containsKey);
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
            metering.queueRates().forEach((port, rate) ->
                rates.computeIfAbsent(port, first -> new HashMap<>()).put(Metering.queueNumber(number), rate));
        });
        return new Wish(rates, left, !restored);
    }
}
