// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.multipath.engine.RecordStore;
import io.sluice.multipath.steering.SteeringRecord;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Keeps nothing: the simulated controller never starts again. */
final class NoRecords implements RecordStore {
    @Override
    public Collection<SteeringRecord> load() {
        return List.of();
    }

    @Override
    public CompletionStage<?> update(final Collection<? extends SteeringRecord> kept,
            final Collection<? extends SteeringRecord> dropped) {
        return CompletableFuture.completedStage(null);
    }
}
