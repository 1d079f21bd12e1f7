// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import io.sluice.api.Bandwidth;

/**
 * Traffic of a chain between two neighbours of it. It differs from stage to stage where a VNF changes the rate.
 *
 * @param forward from ingress to egress, w_cz
 * @param reverse from egress to ingress, v_cz
 */
public record Stage(Bandwidth forward, Bandwidth reverse) {
    /** Both directions together. */
    public Bandwidth total() {
        return forward.plus(reverse);
    }
}
