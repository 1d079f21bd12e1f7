// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.LayeredChain;
import io.sluice.planner.core.Split;
import io.sluice.planner.model.Chain;

/**
 * A chain in a plan.
 *
 * @param chain as it was ordered
 * @param layered the same for the plan's instance
 * @param split its routes; never changed, a new one takes its place
 * @param mayOverfill whether all of its traffic is carried though there is no room
 */
record Placed(Chain chain, LayeredChain layered, Split split, boolean mayOverfill) {
    /** The same chain on other routes. */
    Placed on(final Split other) {
        return new Placed(chain, layered, other, mayOverfill);
    }

    boolean isWhole() {
        return split.carried() >= 1 - Plan.ROUNDING;
    }
}
