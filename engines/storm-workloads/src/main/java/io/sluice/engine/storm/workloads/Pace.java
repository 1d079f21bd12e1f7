// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

/** Says when the next event of a steady rate is due; who was held back, or was not there yet, catches up. */
final class Pace {
    private static final double US = 1e6;

    private final double perUs;
    private final long beginUs;
    private long next;

    Pace(final double perSecond, final long beginUs) {
        perUs = perSecond / US;
        this.beginUs = beginUs;
    }

    /** True if {@link #next} is due. */
    boolean isDue(final long nowUs) {
        return next <= (nowUs - beginUs) * perUs;
    }

    /** The number of the next event, from 0, which counts as having happened with this. */
    long next() {
        return next++;
    }
}
