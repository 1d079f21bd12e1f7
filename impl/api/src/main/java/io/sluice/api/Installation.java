// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.Map;
import java.util.stream.Collectors;

/** Answer to a declaration. */
public sealed interface Installation {
    /** Every switch holds what was declared. */
    record InPlace() implements Installation { }

    /**
     * Some switches don't: the object is parked, and installed there when they attach or at the next declaration.
     *
     * @param reasons what each of them said
     */
    record Pending(Map<SwitchId, String> reasons) implements Installation {
        public Pending {
            reasons = Map.copyOf(reasons);
        }

        /** What to tell an operator: each switch with its reason. */
        public String told() {
            return reasons.entrySet().stream().map(reason -> reason.getKey() + ": " + reason.getValue()).sorted()
                .collect(Collectors.joining(", "));
        }
    }
}
