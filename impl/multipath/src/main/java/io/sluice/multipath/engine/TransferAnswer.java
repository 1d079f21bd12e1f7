// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import java.util.List;

/** Answer to a request for a transfer. */
public sealed interface TransferAnswer {
    /** Every piece has a flow; what is pending on a switch is said in the flow. */
    record Granted(List<FlowState> flows) implements TransferAnswer { }

    /** Nothing was changed. */
    record Refused(String reason) implements TransferAnswer { }
}
