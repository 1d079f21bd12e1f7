// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Collection;
import java.util.function.ToLongFunction;

/**
 * State of a flow over an interval: the paper's five metrics (section IV-A, figure 5), all in bytes, at least 0.
 *
 * @param transferred sent over the network during the interval: V_f
 * @param senderBefore queue at the sender when the interval began, its kernel's included: L_f^s(t)
 * @param senderAfter the same when it ended
 * @param receiverBefore queue at the receiver when the interval began: L_f^r(t)
 * @param receiverAfter the same when it ended
 */
public record FlowReport(long transferred, long senderBefore, long senderAfter, long receiverBefore,
        long receiverAfter) {
    /** Parts of a whole in {@link #smoothed}. */
    public static final int WHOLE_PPM = 1_000_000;
    /** More than a flow of 100 Gbit/s carries in two years; no sum that is formed of metrics runs over with it. */
    public static final long MOST_BYTES = 1L << 60;

    public FlowReport {
        Checks.notNegative("bytes transferred", transferred);
        Checks.notNegative("queue at the sender before", senderBefore);
        Checks.notNegative("queue at the sender after", senderAfter);
        Checks.notNegative("queue at the receiver before", receiverBefore);
        Checks.notNegative("queue at the receiver after", receiverAfter);
    }

    /** Nothing sent and nothing waiting: a flow that needs no bandwidth now. */
    public boolean idle() {
        return transferred == 0 && senderBefore == 0 && senderAfter == 0 && receiverBefore == 0 && receiverAfter == 0;
    }

    /**
     * Bytes to send in the next interval if the source goes on as it did: V + 2 L^s(t + dt) - L^s(t), the numerator of
     * problem (3). Not positive only if queues were measured at odds with the transfer.
     */
    public long toSend() {
        return transferred + 2 * senderAfter - senderBefore;
    }

    /** Bytes that the receiver consumed: V - L^r(t + dt) + L^r(t), the denominator of problem (4); as noisy. */
    public long consumed() {
        return transferred - receiverAfter + receiverBefore;
    }

    /**
     * This report moved towards an {@code earlier} smoothed one, each metric by itself, so that one odd sample of a
     * queue does not turn rates over. Every formula is linear in the metrics, so it is smoothed with them.
     * A report of an idle flow stays as it is.
     *
     * @param newPpm part of this report, 1..{@link #WHOLE_PPM}; all of it: no smoothing
     */
    public FlowReport smoothed(final FlowReport earlier, final int newPpm) {
        if (newPpm < 1 || newPpm > WHOLE_PPM) {
            throw new IllegalArgumentException(newPpm + " ppm is not in 1.." + WHOLE_PPM);
        }
        if (idle()) {
            return this;
        }
        return new FlowReport(mean(transferred, earlier.transferred, newPpm),
            mean(senderBefore, earlier.senderBefore, newPpm), mean(senderAfter, earlier.senderAfter, newPpm),
            mean(receiverBefore, earlier.receiverBefore, newPpm), mean(receiverAfter, earlier.receiverAfter, newPpm));
    }

    /**
     * This report as if the interval that it speaks of had had another length: what is there now stays, what has
     * changed since the interval began has changed in proportion, up to {@link #MOST_BYTES}.
     *
     * @param fromUs the interval that it speaks of, microseconds, at least 1
     * @param toUs the other, microseconds, at least 1
     */
    public FlowReport over(final long fromUs, final long toUs) {
        Checks.positive("interval reported", fromUs);
        Checks.positive("interval wanted", toUs);
        final double factor = (double) toUs / fromUs;
        return new FlowReport(Math.min(MOST_BYTES, Math.round(transferred * factor)),
            before(senderBefore, senderAfter, factor), senderAfter,
            before(receiverBefore, receiverAfter, factor), receiverAfter);
    }

    /** The mean of each metric by itself; of nothing it is zero. */
    public static FlowReport mean(final Collection<FlowReport> reports) {
        return new FlowReport(mean(reports, FlowReport::transferred), mean(reports, FlowReport::senderBefore),
            mean(reports, FlowReport::senderAfter), mean(reports, FlowReport::receiverBefore),
            mean(reports, FlowReport::receiverAfter));
    }

    private static long mean(final Collection<FlowReport> reports, final ToLongFunction<FlowReport> metric) {
        return Math.round(reports.stream().mapToDouble(metric::applyAsLong).average().orElse(0));
    }

    private static long before(final long before, final long after, final double factor) {
        return Math.round(Math.clamp(after - (after - before) * factor, 0.0, MOST_BYTES));
    }

    private static long mean(final long latest, final long earlier, final int newPpm) {
        return earlier + Math.round((latest - earlier) * ((double) newPpm / WHOLE_PPM));
    }
}
