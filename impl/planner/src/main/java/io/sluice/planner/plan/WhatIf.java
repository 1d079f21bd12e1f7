// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a change would do to a plan, which stays as it is.
 *
 * @param before the plan as it is
 * @param after the plan with the change
 * @param scaleBefore by how much all traffic could be multiplied at most, by any routes (SB-LP)
 * @param scaleAfter the same with the change; 0 if some chain has no route any more
 * @param moved chains whose routes would differ
 * @param shortOf chains that would not get all of their traffic carried
 */
public record WhatIf(Figures before, Figures after, double scaleBefore, double scaleAfter, List<String> moved,
        Map<String, Admission> shortOf) {
    public WhatIf {
        moved = List.copyOf(moved);
        shortOf = Map.copyOf(shortOf);
    }

    /**
     * Tries a change out.
     *
     * @param risks which chains that move avoid where they can, as they do when the change comes true
     * @param limits of all of it, which may be asked again once they said stop; the gap is that of the scale
     * @return empty if it was stopped
     */
    public static Optional<WhatIf> of(final Plan plan, final Risks risks, final Change change,
            final Limits limits) {
        final var present = plan.problem();
        final var changed = change.applyTo(present);
        final var replanned = plan.on(plan.order(risks).on(changed), limits.isStopped());
        if (limits.isStopped().getAsBoolean()) {
            return Optional.empty();
        }
        final var whatIf = new WhatIf(plan.figures(), replanned.plan().figures(), scale(present, limits),
            scale(changed, limits), replanned.moved(), replanned.shortOf());
        return limits.isStopped().getAsBoolean() ? Optional.empty() : Optional.of(whatIf);
    }

    private static double scale(final Problem problem, final Limits limits) {
        return ChainRouting.solve(Instance.of(problem), Objective.SCALE, limits) instanceof Routed routed
            ? routed.value() : 0;
    }
}
