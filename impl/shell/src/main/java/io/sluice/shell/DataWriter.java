// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** Changes what is configured. */
public interface DataWriter {
    /** Puts a node in place of what stands at the path; returns when it is stored. */
    void put(YangInstanceIdentifier path, NormalizedNode node)
        throws InterruptedException, TransactionCommitFailedException;

    /** Removes what stands at the path; returns when it is gone. */
    void delete(YangInstanceIdentifier path) throws InterruptedException, TransactionCommitFailedException;
}
