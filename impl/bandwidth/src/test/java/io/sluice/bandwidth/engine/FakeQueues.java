// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** Ports that have the queues that they are told to, but for those with a fault, which keep theirs. */
public final class FakeQueues implements PortQueues {
    final Map<PortId, Map<Long, Bandwidth>> rates = new HashMap<>();
    Map<PortId, Fault> faults = Map.of();
    List<Long> priorities = List.of();
    int asked;
    boolean isLeft;

    @Override
    public CompletionStage<Map<PortId, Fault>> wantPriorities(final List<Long> numbers, final Set<PortId> ports) {
        priorities = numbers;
        return CompletableFuture.completedStage(faultsOf(ports));
    }

    @Override
    public CompletionStage<Map<PortId, Fault>> wantRates(final Map<PortId, Map<Long, Bandwidth>> wanted,
            final LongPredicate stays) {
        asked++;
        final var before = new HashMap<>(rates);
        rates.clear();
        before.forEach((port, queues) -> queues.forEach((number, rate) -> {
            if (faults.containsKey(port) && faults.get(port).mayRemain() || stays.test(number)) {
                rates.computeIfAbsent(port, first -> new HashMap<>()).put(number, rate);
            }
        }));
        wanted.forEach((port, queues) -> {
            if (!faults.containsKey(port)) {
                rates.computeIfAbsent(port, first -> new HashMap<>()).putAll(queues);
            }
        });
        return CompletableFuture.completedStage(faultsOf(wanted.keySet()));
    }

    private Map<PortId, Fault> faultsOf(final Set<PortId> ports) {
        return faults.entrySet().stream().filter(fault -> ports.contains(fault.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public void leave() {
        isLeft = true;
    }
}
