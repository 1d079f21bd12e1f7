// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import io.sluice.planner.lp.RoutingAnswer;
import io.sluice.planner.lp.RoutingAnswer.Overloaded;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Stopped;
import io.sluice.planner.lp.RoutingAnswer.Unroutable;
import java.util.Locale;
import java.util.stream.Collectors;

/** What there is to say where there are no routes for all traffic. */
final class NoRoutes {
    private NoRoutes() {
        // explains, and has no instances
    }

    static String reason(final RoutingAnswer answer) {
        return switch (answer) {
            case Overloaded overloaded ->
                String.format(Locale.ROOT, "no more than %.4g of the traffic can be carried%s; carried routes what "
                    + "fits", overloaded.scale(), overloaded.binding().stream().limit(1)
                        .map(full -> ": it takes all of " + full.resource()).collect(Collectors.joining()));
            case Unroutable unroutable -> unroutable.reason();
            case Stopped stopped -> String.format(Locale.ROOT,
                "no routes for more than %.4g of the traffic were found in time", stopped.carried());
            case Routed routed -> throw new IllegalArgumentException("there are routes");
        };
    }
}
