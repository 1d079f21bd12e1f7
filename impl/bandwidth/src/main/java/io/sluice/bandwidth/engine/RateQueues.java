// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Queues that hold flows to their rates where these leave their first switch, each the flow's own. Those of an earlier
 * controller stay until {@link #restored}, and so long no others are made. Runs on {@code loop}.
 */
final class RateQueues {
    private final PortQueues ports;
    private final Executor loop;
    private final Map<Integer, Metering> wanted = new HashMap<>();
    private Optional<Map<PortId, Map<Long, Bandwidth>>> declared = Optional.empty();
    private Map<PortId, String> faults = Map.of();
    private boolean restored;

    RateQueues(final PortQueues ports, final Executor loop) {
        this.ports = ports;
        this.loop = loop;
    }

    /** A flow by its number; it needs queues only if it is held by them. */
    void put(final int number, final Metering metering) {
        if (metering.isQueued() && isMade(number)) {
            wanted.put(number, metering);
        } else {
            wanted.remove(number);
        }
    }

    void remove(final int number) {
        wanted.remove(number);
    }

    /** All that earlier controllers have left is known. */
    void restored() {
        restored = true;
    }

    /** Has the ports hold what was put; completes when they have answered, at once if they hold it. */
    CompletionStage<Void> settle() {
        final var rates = rates();
        if (!restored || declared.equals(Optional.of(rates)) && faults.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        declared = Optional.of(rates);
        return ports.hold(rates).thenAcceptAsync(answer -> faults = answer, loop);
    }

    /** Why the flow with this number is not held by its queues. */
    Optional<String> fault(final int number, final Metering metering) {
        if (!metering.isQueued()) {
            return Optional.empty();
        }
        if (!isMade(number)) {
            return Optional.of("no number is left for its queue");
        }
        return restored ? metering.egresses().keySet().stream().filter(faults::containsKey).sorted().findFirst()
                .map(port -> "port " + port + " has no queue for it: " + faults.get(port))
            : Optional.of("its queue is made when what an earlier controller has left is known");
    }

    private static boolean isMade(final int number) {
        return Metering.queueNumber(number) <= PortQueues.MAX_HELD;
    }

    private Map<PortId, Map<Long, Bandwidth>> rates() {
        final var rates = new HashMap<PortId, Map<Long, Bandwidth>>();
        wanted.forEach((number, metering) -> metering.rates().forEach((port, rate) ->
            rates.computeIfAbsent(port, first -> new HashMap<>()).put(Metering.queueNumber(number), rate)));
        return rates;
    }
}
