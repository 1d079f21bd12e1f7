// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

/**
 * Says when the next event of a steady rate is due; who was held back catches up, and who comes later leaves out what
 * was due before.
 */
final class Pace {
    private static final double US = 1e6;

    private final double perUs;
    private final long beginUs;
    private long next;

    Pace(final double perSecond, final long beginUs, final long nowUs) {
        perUs = perSecond / US;
        this.beginUs = beginUs;
        next = Math.max(0, (long) Math.ceil((nowUs - beginUs) * perUs));
    }

    /** True if {@link #next} is due. */
    boolean isDue(final long nowUs) {
        return next <= (nowUs - beginUs) * perUs;
    }

    /** The number of the next event since all began, from 0, which counts as having happened with this. */
    long next() {
        return next++;
    }
}
