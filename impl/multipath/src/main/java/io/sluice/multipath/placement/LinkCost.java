// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;

/**
 * Cost of a link by its utilisation u = load / capacity.
 *
 * <p>Equation (2) of Guillen et al., b / max(B), is zero on every idle link, so that all idle paths cost the same
 * whatever their length, and is undefined while the whole fabric is idle. Here a link costs
 * <pre>
 *     IDLE / (1 - u), u up to 1 - 1/64
 * </pre>
 * that is IDLE (1 + u + u^2 + ...): one hop, plus the utilisation as in (2), plus a rest that counts when the link
 * fills up. It is positive, never falls as the load grows, and ends at 64 IDLE. The load is set against the link's own
 * capacity, not the largest one: half full is half full on a slow link too.
 */
public final class LinkCost {
    /** Cost of an idle link, and so of a hop. */
    public static final long IDLE = 1000;
    /** Cost of a full link, and of one without capacity. */
    public static final long FULL = 64 * IDLE;

    private LinkCost() {
    }

    /** Returns the cost of a link, {@link #IDLE} to {@link #FULL}. */
    public static long of(final Bandwidth load, final Bandwidth capacity) {
        return of(load.bitsPerSecond(), capacity.bitsPerSecond());
    }

    /** The same for quantities of any one unit, 0 or more. */
    static long of(final long load, final long capacity) {
        final long left = Math.max(0, capacity - load);
        return left == 0 ? FULL : Math.min(FULL, Math.round((double) IDLE * capacity / left));
    }
}
