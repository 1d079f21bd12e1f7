// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;

/** Answers of RPCs that can't be given. */
final class Refusal {
    private Refusal() {
        // answers, and has no instances
    }

    static <O> RpcResult<O> of(final ErrorTag tag, final String reason) {
        return RpcResultBuilder.<O>failed().withError(ErrorType.APPLICATION, tag, reason).build();
    }
}
