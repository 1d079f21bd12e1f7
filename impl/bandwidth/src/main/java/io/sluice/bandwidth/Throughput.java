// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.api.Bandwidth;

/**
 * What an application got so far, for {@link AppFair}.
 *
 * @param bytes since it began, at least 0
 * @param elapsedUs since it began, in microseconds, at least 0
 * @param latest rate of the last interval
 */
public record Throughput(long bytes, long elapsedUs, Bandwidth latest) {
    /** Of an application that has just begun. */
    public static final Throughput NONE = new Throughput(0, 0, Bandwidth.ZERO);

    public Throughput {
        Checks.notNegative("bytes", bytes);
        Checks.notNegative("elapsed time", elapsedUs);
    }

    /**
     * After another interval.
     *
     * @param moreBytes that came through in it, at least 0
     * @param intervalUs its length in microseconds, at least 1
     */
    public Throughput plus(final long moreBytes, final long intervalUs) {
        Checks.notNegative("bytes", moreBytes);
        Checks.positive("interval", intervalUs);
        return new Throughput(Math.addExact(bytes, moreBytes), Math.addExact(elapsedUs, intervalUs),
            new Bandwidth(Math.round(moreBytes * 8e6 / intervalUs)));
    }

    /**
     * Equation (5) in bit/s: alpha times the mean so far plus (1 - alpha) times the last interval. The mean is that of
     * all the time, for a mean made by (5) itself would never change with alpha = 1, which the paper measures.
     */
    double score(final int alphaPpm) {
        final double alpha = alphaPpm / 1e6;
        final double mean = elapsedUs > 0 ? bytes * 8e6 / elapsedUs : 0;
        return alpha * mean + (1 - alpha) * latest.bitsPerSecond();
    }
}
