// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Flows that are of use together: the slowest sets the pace.
 *
 * @param name unique in its tenant
 * @param weight of its dominant share in relation to the tenant's other applications, 1..10^6: {@link AppMaxMin}
 */
public record Application(String name, long weight, List<Flow> flows) {
    public Application {
        requireNonNull(name);
        Checks.weight(weight);
        flows = List.copyOf(flows);
        Checks.unique(flows, Flow::name);
    }
}
