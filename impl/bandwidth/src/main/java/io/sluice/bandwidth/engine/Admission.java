// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.FlowId;
import java.util.Map;

/** Whether an application can be as it is wanted, beside the others of the configuration. */
public sealed interface Admission {
    /** Nothing is in its way; its hosts may not be seen yet. */
    record Admitted() implements Admission { }

    /**
     * Flows could not be held to a rate.
     *
     * @param faults why; also of flows of others, of which the application would take the packets
     */
    record NotEnforceable(Map<FlowId, String> faults) implements Admission {
        public NotEnforceable {
            faults = Map.copyOf(faults);
        }
    }

    /** A link could not carry its guarantees, which would refuse the rounds of all. */
    record Overfull(String reason) implements Admission { }
}
