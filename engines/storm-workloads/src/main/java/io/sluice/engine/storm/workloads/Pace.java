// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

/** Says when the next event of a steady rate is due; who was held back catches up. */
final class Pace {
    private static final double NS = 1e9;

    private final double perSecond;
    private final long beganNs;
    private long events;

    Pace(final double perSecond, final long nowNs) {
        this.perSecond = perSecond;
        beganNs = nowNs;
    }

    /** True if an event is due, which counts as having happened with this. */
    boolean isDue(final long nowNs) {
        if (events > (nowNs - beganNs) / NS * perSecond) {
            return false;
        }
        events++;
        return true;
    }
}
