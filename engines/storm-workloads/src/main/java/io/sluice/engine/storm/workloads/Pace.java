// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

/**
 * Says when the next event of a steady rate is due; who was held back catches up. Events are numbered since 1970, so
 * that all sources of one rate give what is due at one time one number, whenever they began.
 */
final class Pace {
    private static final double US = 1e6;

    private final double perUs;
    private long next;

    Pace(final double perSecond, final long nowUs) {
        perUs = perSecond / US;
        next = (long) Math.ceil(nowUs * perUs);
    }

    /** True if {@link #next} is due. */
    boolean isDue(final long nowUs) {
        return next <= nowUs * perUs;
    }

    /** The number of the next event, which counts as having happened with this. */
    long next() {
        return next++;
    }
}
