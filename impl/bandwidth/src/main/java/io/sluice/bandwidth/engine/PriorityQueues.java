// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import io.sluice.api.PortQueues.Fault;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * The queues of strict priority that ports should have: they come when no entry picks those that hold flows to rates
 * any more, and go before such come. Runs on {@code loop}.
 */
final class PriorityQueues {
    private final PortQueues ports;
    private final Executor loop;
    private Map<PortId, Fault> faults = Map.of();
    private boolean closed;

    PriorityQueues(final PortQueues ports, final Executor loop) {
        this.ports = ports;
        this.loop = loop;
    }

    /** Begins a round: takes the queues away if none are wanted. */
    void begin(final List<Long> numbers) {
        if (numbers.isEmpty()) {
            faults = Map.of();
            ports.wantPriorities(numbers, Set.of());
        }
    }

    /** Ends a round: completes when the ports that these flows pass have queues with these numbers, or have a fault. */
    CompletionStage<Void> end(final List<Long> numbers, final Collection<Way.Known> ways) {
        return numbers.isEmpty() || closed ? CompletableFuture.completedStage(null)
            : ports.wantPriorities(numbers, ways.stream().flatMap(way -> way.ports().stream())
                .collect(Collectors.toSet())).thenAcceptAsync(answer -> faults = answer, loop);
    }

    /** Why a port on the way of a flow has no queue for it. */
    Optional<String> fault(final Way.Known way) {
        return way.ports().stream().filter(faults::containsKey).sorted().findFirst()
            .map(port -> faults.get(port).told(port));
    }

    /** Leaves the ports to the next controller. */
    void close() {
        closed = true;
    }
}
