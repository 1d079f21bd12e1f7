// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;

/**
 * What a flow has carried, as its entries at the two edges count it.
 *
 * @param forward from the client
 * @param backward to the client
 * @param forwardRate between the last two samples
 * @param backwardRate likewise
 * @param activeNs when it was last seen to carry a packet, on the engine's clock
 * @param sampledNs when it was sampled last
 */
public record Usage(Traffic forward, Traffic backward, Bandwidth forwardRate, Bandwidth backwardRate, long activeNs,
        long sampledNs) {
    static Usage none(final long nowNs) {
        final var nothing = new Traffic(0, 0);
        return new Usage(nothing, nothing, Bandwidth.ZERO, Bandwidth.ZERO, nowNs, nowNs);
    }

    /** The same, known to carry something now that its entries don't count. */
    Usage active(final long nowNs) {
        return new Usage(forward, backward, forwardRate, backwardRate, nowNs, sampledNs);
    }

    /** True as long as no packet was seen: the flow may be about to begin. */
    boolean isUnknown() {
        return forward.packets() == 0 && backward.packets() == 0;
    }

    /** True if it is known to have carried nothing since then: what was not sampled since may carry something. */
    boolean isIdleSince(final long sinceNs) {
        return activeNs < sinceNs && sampledNs >= sinceNs;
    }

    /** Rate in the fuller direction. */
    Bandwidth rate() {
        return isToServer() ? forwardRate : backwardRate;
    }

    /** True if the client sends more than it gets. */
    boolean isToServer() {
        return forwardRate.compareTo(backwardRate) > 0;
    }

    /** Takes counters that were read now; counters that went back have started anew. */
    Usage sampled(final Traffic forwardNow, final Traffic backwardNow, final long nowNs) {
        final boolean active = forwardNow.packets() != forward.packets()
            || backwardNow.packets() != backward.packets();
        return new Usage(forwardNow, backwardNow, rate(forward, forwardNow, nowNs), rate(backward, backwardNow, nowNs),
            active ? nowNs : activeNs, nowNs);
    }

    private Bandwidth rate(final Traffic before, final Traffic now, final long nowNs) {
        final long bytes = now.bytes() < before.bytes() ? now.bytes() : now.bytes() - before.bytes();
        return nowNs <= sampledNs ? Bandwidth.ZERO : new Bandwidth((long) (bytes * 8e9 / (nowNs - sampledNs)));
    }
}
