// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.core.Split;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Plan;
import java.util.Map;

/** A plan as it was: what all that is shown of it comes from, and all moves that could be found. */
record Seen(Problem problem, Map<String, Split> splits) {
    static Seen of(final Plan plan) {
        return new Seen(plan.problem(), plan.splits());
    }

    /** Whether a plan is still, or again, like that. */
    boolean isLike(final Plan plan) {
        return problem.equals(plan.problem()) && splits.entrySet().stream()
            .allMatch(each -> plan.split(each.getKey()).isLike(each.getValue()));
    }
}
