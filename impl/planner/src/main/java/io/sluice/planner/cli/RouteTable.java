// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.NamedRoute;
import io.sluice.planner.core.Split;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Routes and scarce resources as text, a line each. */
final class RouteTable {
    private static final int BINDING_SHOWN = 10;

    private RouteTable() {
        // prints, and has no instances
    }

    /** Prints the routes of each chain with their share in ppm. */
    static void print(final Instance instance, final List<Split> splits, final PrintStream out) {
        for (int chain = 0; chain < instance.chainCount(); chain++) {
            final var split = splits.get(chain);
            final long[] ppm = split.ppm();
            for (int index = 0; index < split.size(); index++) {
                if (ppm[index] > 0) {
                    out.printf(Locale.ROOT, "%s %7d ppm  %s%n", instance.problem().chains().get(chain).name(),
                        ppm[index], split.isNowhere(index) ? "not carried"
                            : NamedRoute.of(instance, instance.chain(chain), split.routeCopy(index)));
                }
            }
        }
    }

    /** Prints the rows that are worth most. */
    static void print(final Instance instance, final double[] prices, final PrintStream out) {
        IntStream.range(0, prices.length).filter(row -> prices[row] > 0).boxed()
            .sorted(Comparator.comparingDouble(row -> -prices[row])).limit(BINDING_SHOWN)
            .forEach(row -> out.printf(Locale.ROOT, "binding: %s, price %.4g%n", instance.rowName(row), prices[row]));
    }
}
