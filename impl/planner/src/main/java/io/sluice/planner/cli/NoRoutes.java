// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import io.sluice.planner.lp.RoutingAnswer;
import io.sluice.planner.lp.RoutingAnswer.Overloaded;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Stopped;
import io.sluice.planner.lp.RoutingAnswer.Unroutable;
import io.sluice.planner.model.Problem;
import java.util.Locale;

/** What there is to say where there are no routes for all traffic. */
final class NoRoutes {
    private NoRoutes() {
        // explains, and has no instances
    }

    static String reason(final Problem problem, final RoutingAnswer answer) {
        return switch (answer) {
            case Overloaded overloaded ->
                String.format(Locale.ROOT, "no more than %.4f of the traffic can be carried", overloaded.scale());
            case Unroutable unroutable -> "no route at all for " + problem.chainNames(unroutable.chains());
            case Stopped stopped -> String.format(Locale.ROOT,
                "no routes for more than %.4f of the traffic were found", stopped.carried());
            case Routed routed -> throw new IllegalArgumentException("there are routes");
        };
    }
}
