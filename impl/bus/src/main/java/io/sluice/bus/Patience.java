// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

/**
 * How long a connection may be without a session before it is replaced: 5 s, then 10 s, then 20 s each time. Where
 * processors are short, handshakes take long: whoever gives them up ever again after the same time never gets through.
 */
final class Patience {
    private static final int LEAST_TICKS = 20;
    private static final int MOST_TICKS = 80;

    private int limit = LEAST_TICKS;
    private int downTicks;

    /** Lets a quarter of a second pass in which there was a session or not; returns whether it was the last one. */
    boolean isLost(final boolean up) {
        if (up) {
            limit = LEAST_TICKS;
        }
        downTicks = up ? 0 : downTicks + 1;
        final boolean lost = downTicks >= limit;
        if (lost) {
            limit = Math.min(2 * limit, MOST_TICKS);
            downTicks = 0;
        }
        return lost;
    }

    /** Begins anew, as for the first connection. */
    void renew() {
        limit = LEAST_TICKS;
        downTicks = 0;
    }
}
