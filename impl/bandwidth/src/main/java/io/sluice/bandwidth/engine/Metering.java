// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Entry;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.api.Pipeline;
import io.sluice.api.PortId;
import java.util.List;

/**
 * Packets that are counted where they enter the network, and held to a rate if need be.
 *
 * @param ingress port where they come in
 * @param kilobits rate in kilobits per second of layer-2 frames, 1..2^32-1; {@link #UNMETERED} without one
 */
record Metering(PortId ingress, Packets packets, long kilobits) {
    /** More than any rate. */
    static final long UNMETERED = Long.MAX_VALUE;

    /**
     * Depth of a meter's bucket, in milliseconds at its rate: a sender that lost all it had in flight must find tokens
     * for the time-out of 200 ms that Linux waits at least, and for its next window.
     */
    static final long BURST_MS = 400;
    /** A bucket takes at least four frames of 1514 bytes. */
    private static final long LEAST_BURST_KILOBITS = 49;
    private static final long LARGEST = 0xffff_ffffL;

    /** Rounded down, so that meters never sum to more than the link; but never to zero, which would stop the flow. */
    static long kilobits(final long bitsPerSecond) {
        return Math.min(LARGEST, Math.max(1, bitsPerSecond / 1000));
    }

    boolean isMetered() {
        return kilobits != UNMETERED;
    }

    /** The entry that counts, and the meter with {@code number} that it applies; it says not where packets go. */
    List<Entry> entries(final int number) {
        final var counting = new Entry.Flow(Pipeline.METER, packets.priority(), packets.match(ingress), List.of())
            .goingOnTo(Pipeline.CLASSIFY);
        if (!isMetered()) {
            return List.of(counting);
        }
        final long burst = Math.min(LARGEST, Math.max(LEAST_BURST_KILOBITS, kilobits * BURST_MS / 1000));
        return List.of(new Entry.Meter(number, MeterUnit.KILOBITS, kilobits, burst), counting.meteredBy(number));
    }
}
