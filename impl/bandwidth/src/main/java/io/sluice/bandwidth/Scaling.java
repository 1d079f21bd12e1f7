// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;

/** Rates that overfill links, made to fit. */
final class Scaling {
    private Scaling() {
        // functions alone
    }

    /**
     * Scales down what flows have above what they keep, each by the fullest of its links.
     *
     * @param kept of each flow; it overfills no link
     */
    static void scale(final Instance instance, final double[] rates, final double[] kept) {
        final var factors = new double[rates.length];
        Arrays.fill(factors, 1);
        final double[] loads = instance.crossings.loads(rates);
        for (int link = 0; link < loads.length; link++) {
            if (loads[link] > instance.available[link]) {
                final double least = instance.crossings.load(link, kept);
                final double factor = loads[link] <= least ? 0
                    : Math.max(0, instance.available[link] - least) / (loads[link] - least);
                for (final int flow : instance.crossings.flowsOn(link)) {
                    factors[flow] = Math.min(factors[flow], factor);
                }
            }
        }
        Arrays.setAll(rates, flow -> kept[flow] + Math.max(0, rates[flow] - kept[flow]) * factors[flow]);
    }

    /** Gives each flow {@link Instance#least}, and scales the others down for it; false if all have it already. */
    static boolean lift(final Instance instance, final double[] rates) {
        boolean lifted = false;
        for (int flow = 0; flow < rates.length; flow++) {
            if (rates[flow] < instance.least[flow]) {
                rates[flow] = instance.least[flow];
                lifted = true;
            }
        }
        if (lifted) {
            scale(instance, rates, instance.least);
        }
        return lifted;
    }
}
