// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer;
import java.util.List;
import java.util.Optional;

/**
 * How far a run is.
 *
 * @param objective what it optimises
 * @param elapsedMs since it began; until it ended
 * @param remainingMs forecast, if one can be made
 * @param progress the gap over time, at most {@link Run#MAX_PROGRESS} of its steps
 * @param end what it came to, if it has ended
 */
public record Status(Objective objective, long elapsedMs, Optional<Long> remainingMs, List<Progress> progress,
        Optional<End> end) {
    public Status {
        progress = List.copyOf(progress);
    }

    /** What a run comes to. */
    public sealed interface End {
        /** It was solved, or stopped by its limits. */
        record Answered(Instance instance, RoutingAnswer answer) implements End { }

        /** Something went wrong that is no answer. */
        record Broken(String reason) implements End { }
    }
}
