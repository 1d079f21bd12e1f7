// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

/** Last phases of every policy: no bandwidth stays unused that a flow could take. */
final class Leftovers {
    private Leftovers() {
        // functions alone
    }

    /**
     * Raises the active flows one by one up to their limits, then the idle ones, which so change nothing for others.
     *
     * @param speeds of each flow in relation to others, above 0
     */
    static void share(final Instance instance, final ProgressiveFilling filling, final double[] speeds) {
        shareAmongActive(instance, filling, speeds);
        shareAmongIdle(instance, filling, speeds);
    }

    static void shareAmongActive(final Instance instance, final ProgressiveFilling filling, final double[] speeds) {
        filling.riseAlone(instance.activeFlows, speeds, instance.limit);
    }

    static void shareAmongIdle(final Instance instance, final ProgressiveFilling filling, final double[] speeds) {
        filling.riseAlone(instance.idleFlows, speeds, instance.limit);
    }
}
