// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import com.google.common.util.concurrent.ListenableFuture;
import java.util.Collection;
import java.util.Map;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** The operational datastore. */
@FunctionalInterface
public interface OperationalState {
    /** Reads top-level nodes, all as of one time; those that are not there are left out of the answer. */
    ListenableFuture<Map<NodeIdentifier, NormalizedNode>> read(Collection<NodeIdentifier> roots);
}
