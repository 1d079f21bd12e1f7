// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.Optional;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** Reads what a datastore holds now. */
@FunctionalInterface
public interface DataReader {
    /** Returns what stands at the path; empty if nothing does. */
    Optional<NormalizedNode> read(LogicalDatastoreType store, YangInstanceIdentifier path)
        throws InterruptedException, ReadFailedException;
}
