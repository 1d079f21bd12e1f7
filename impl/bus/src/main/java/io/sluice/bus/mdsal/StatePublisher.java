// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import io.sluice.mdsal.DatastoreWrites;
import java.util.Optional;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Bus;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** Shows the state in the operational datastore: as a whole, if it differs from what was written last. */
final class StatePublisher {
    private static final DataObjectIdentifier<Bus> ROOT = DataObjectIdentifier.builder(Bus.class).build();

    private final DatastoreWrites writes;
    /** Null before the first writing. */
    private Optional<Bus> published;

    StatePublisher(final DataBroker dataBroker) {
        writes = new DatastoreWrites(dataBroker, "state of the bus", Runnable::run);
    }

    /** Shows the state, or that there is none. */
    void publish(final Optional<Bus> state) {
        if (!state.equals(published)) {
            published = state;
            writes.write(transaction -> state.ifPresentOrElse(
                shown -> transaction.put(LogicalDatastoreType.OPERATIONAL, ROOT, shown),
                () -> transaction.delete(LogicalDatastoreType.OPERATIONAL, ROOT)));
        }
    }
}
