// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static java.util.Objects.requireNonNull;

/**
 * Where in its application a flow is. Flows of later stages that begin where it ends pass on what it brings.
 *
 * @param number of operators before the one that takes the flow, on the longest way from a source; at least 0
 * @param from where the flow begins: an address, or any other name of the place
 * @param to where it ends
 */
public record Stage(int number, String from, String to) {
    /** That of all flows of an application which says nothing of stages. */
    public static final Stage ONLY = new Stage(0, "", "");

    public Stage {
        Checks.notNegative("stage", number);
        requireNonNull(from);
        requireNonNull(to);
    }
}
