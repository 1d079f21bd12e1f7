// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.mdsal.DatastoreWrites;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** Shows the state in the operational datastore: as a whole, if it differs from what was written last. */
final class StatePublisher {
    private static final DataObjectIdentifier<Bandwidth> ROOT = DataObjectIdentifier.builder(Bandwidth.class).build();

    private final DatastoreWrites writes;
    private Bandwidth published;

    StatePublisher(final DataBroker dataBroker) {
        writes = new DatastoreWrites(dataBroker, "rates", Runnable::run);
    }

    void publish(final Bandwidth state) {
        if (!state.equals(published)) {
            published = state;
            writes.write(transaction -> transaction.put(LogicalDatastoreType.OPERATIONAL, ROOT, state));
        }
    }
}
