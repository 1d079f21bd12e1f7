// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ports that have what they are told to, but for those with a fault. */
public final class FakeQueues implements PortQueues {
    Map<PortId, Map<Long, Bandwidth>> rates = Map.of();
    Map<PortId, String> faults = Map.of();
    int asked;

    @Override
    public void want(final List<Long> numbers) {
        throw new UnsupportedOperationException("these have rates");
    }

    @Override
    public CompletionStage<Map<PortId, String>> hold(final Map<PortId, Map<Long, Bandwidth>> wanted) {
        rates = wanted;
        asked++;
        return CompletableFuture.completedStage(faults);
    }

    @Override
    public void leave() {
        throw new UnsupportedOperationException("the engine leaves nothing");
    }
}
