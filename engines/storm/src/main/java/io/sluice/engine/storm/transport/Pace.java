// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import java.util.concurrent.TimeUnit;

/**
 * When a connection may send how much, at the rate of the meter on its way: so evenly that the meter has nothing to
 * drop. TCP by itself finds a meter's rate by losses alone, and at a window below one segment, which a slow meter on a
 * fast way asks for, by time-outs; and what a meter drops has taken its part of the links before it.
 *
 * <p>Frames are counted as meters do, without what TCP sends again, for which a little of the rate is left. Not
 * thread-safe.
 */
final class Pace {
    /** Payload of a full frame, with the time stamps that Linux has in each. */
    static final int SEGMENT_BYTES = 1448;
    /** Of Ethernet, IPv4 and TCP with time stamps. */
    static final int HEADER_BYTES = 66;
    /** Part of the rate that is used. */
    static final double USED = 0.98;

    /** Time that is sent for at once, if that is more than a segment. */
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Who comes late by so much catches up; a meter's bucket, {@link #BUCKET_S}, lets four times as much through. */
    private static final long CAUGHT_UP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /**
     * Least depth of a meter's bucket, and the time whose frames it takes if these are more. In the controller's
     * {@code io.sluice.bandwidth.engine.Metering} they are {@code LEAST_BURST_KILOBITS} and {@code BURST_MS}, and may
     * not be less there. This runs inside Storm, where nothing of the controller is: tests/test_constants.py compares.
     */
    private static final double BUCKET_BYTES = 4 * (SEGMENT_BYTES + HEADER_BYTES);
    private static final double BUCKET_S = 0.4;
    /** Linux counts what it needs beside the payload, and doubles what it is told for that. */
    private static final int COUNTED_TWICE = 2;
    private static final double BITS_TO_NS = Byte.SIZE * 1e9;

    private long bitsPerSecond;
    private long nextNs;

    /** From now on there is this rate of frames; none, so that nothing waits, if it is 0. */
    void set(final long rate, final long nowNs) {
        if (rate != bitsPerSecond) {
            bitsPerSecond = rate;
            nextNs = Math.min(nextNs, nowNs);
        }
    }

    boolean isSet() {
        return bitsPerSecond > 0;
    }

    /** Time until something may be sent; 0 if that is now. */
    long waitNs(final long nowNs) {
        return isSet() ? Math.max(0, nextNs - nowNs) : 0;
    }

    /** Bytes of payload that may be sent then, at least a segment. */
    int turnBytes() {
        return isSet() ? (int) Math.min(Integer.MAX_VALUE,
            SEGMENT_BYTES * (long) Math.max(1, TURN_NS / frameNs(SEGMENT_BYTES))) : Integer.MAX_VALUE;
    }

    /**
     * Size of the kernel's send buffer, so that it has no more on the way than the meter's bucket takes: what it has
     * from before, or had to send again, it would send as fast as it can.
     */
    int kernelBytes() {
        return isSet() ? (int) Math.min(Integer.MAX_VALUE,
            Math.max(BUCKET_BYTES, BUCKET_S * bitsPerSecond / Byte.SIZE) / COUNTED_TWICE) : Integer.MAX_VALUE;
    }

    /** So many bytes of payload were sent at once. */
    void sent(final int bytes, final long nowNs) {
        if (isSet()) {
            final int full = bytes / SEGMENT_BYTES;
            final int rest = bytes % SEGMENT_BYTES;
            final double neededNs = full * frameNs(SEGMENT_BYTES) + (rest > 0 ? frameNs(rest) : 0);
            nextNs = Math.max(nextNs, nowNs - CAUGHT_UP_NS) + (long) neededNs;
        }
    }

    private double frameNs(final int bytes) {
        return (bytes + HEADER_BYTES) * BITS_TO_NS / (bitsPerSecond * USED);
    }
}
