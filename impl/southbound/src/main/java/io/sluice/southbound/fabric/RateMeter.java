// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Bandwidth;

/**
 * Rate of a byte counter: mean between its last two readings. A counter that has fallen was reset in between; then what
 * it counted since is all that is known, and taken. Not thread-safe.
 */
public final class RateMeter {
    private static final double NS_PER_S = 1e9;

    private boolean started;
    private long lastBytes;
    private long lastNs;

    /**
     * Takes a reading.
     *
     * @param bytes what the counter stands at
     * @param nowNs monotonic time of the reading
     * @return the rate; zero for the first reading, and for two at one time
     */
    public Bandwidth read(final long bytes, final long nowNs) {
        final long counted = bytes < lastBytes ? bytes : bytes - lastBytes;
        final long elapsedNs = nowNs - lastNs;
        final boolean known = started && elapsedNs > 0;
        started = true;
        lastBytes = bytes;
        lastNs = nowNs;
        return known ? new Bandwidth(Math.round(counted * 8.0 * NS_PER_S / elapsedNs)) : Bandwidth.ZERO;
    }
}
