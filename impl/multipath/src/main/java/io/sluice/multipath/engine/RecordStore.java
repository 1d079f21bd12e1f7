// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.multipath.steering.SteeringRecord;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/** Keeps what must survive a restart of the controller. */
public interface RecordStore {
    /** Reads everything that was kept. */
    Collection<SteeringRecord> load();

    /** Keeps the records, each in place of an older one of the same object, and drops others; all or none. */
    CompletionStage<?> update(Collection<? extends SteeringRecord> kept, Collection<? extends SteeringRecord> dropped);
}
