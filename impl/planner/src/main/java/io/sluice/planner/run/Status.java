// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.CapacityAnswer;
import io.sluice.planner.lp.RoutingAnswer;
import io.sluice.planner.model.Problem;
import io.sluice.planner.placement.PlacementAnswer;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.plan.Proposals;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a run is.
 *
 * @param task what it looks for
 * @param hasBegun whether it is worked on, or was
 * @param elapsedMs since it began; until it ended
 * @param remainingMs forecast, if one can be made
 * @param progress the gap over time, at most {@link Run#MAX_PROGRESS} of its steps
 * @param end what it came to, if it has ended
 */
public record Status(Task task, boolean hasBegun, long elapsedMs, Optional<Long> remainingMs, List<Progress> progress,
        Optional<End> end) {
    public Status {
        progress = List.copyOf(progress);
    }

    /** What a run comes to. */
    public sealed interface End {
        /** It was solved, or stopped by its limits. */
        record Answered(Instance instance, RoutingAnswer answer) implements End { }

        /** Moves for a plan. */
        record Proposed(Plan plan, Proposals proposals) implements End { }

        /** Additions to sites. */
        record Expanded(Problem problem, CapacityAnswer answer) implements End { }

        /** New sites of VNFs. */
        record Hinted(Problem problem, PlacementAnswer answer) implements End { }

        /** Something went wrong that is no answer. */
        record Broken(String reason) implements End {
            /** An error, and what brought it about. */
            public static Broken by(final Throwable error) {
                return new Broken(Stream.iterate(error, Objects::nonNull, Throwable::getCause).map(Throwable::toString)
                    .collect(Collectors.joining(", because of ")));
            }
        }
    }
}
