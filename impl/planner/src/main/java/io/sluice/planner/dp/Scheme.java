// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

/** Ways to route chains one after the other: the paper's SB-DP and what it is compared with (sections 7.2 and 7.3). */
public enum Scheme {
    /** The cheapest whole route by delay and utilisation. */
    SB_DP(true, true, true, true),
    /** The cost of SB-DP, hop by hop: each VNF where it is cheapest from where the traffic is. */
    ONEHOP(false, true, true, true),
    /** The whole route of least delay on which there is room. */
    DP_LATENCY(true, false, true, true),
    /** Hop by hop to the nearest deployment with compute capacity left; links are not looked at. */
    COMPUTE_AWARE(false, false, false, true),
    /** Hop by hop to the nearest deployment, whatever is left there. */
    ANYCAST(false, false, false, false);

    private final boolean isHolistic;
    private final boolean chargesUtilisation;
    private final boolean respectsLinks;
    private final boolean respectsCompute;

    Scheme(final boolean isHolistic, final boolean chargesUtilisation, final boolean respectsLinks,
            final boolean respectsCompute) {
        this.isHolistic = isHolistic;
        this.chargesUtilisation = chargesUtilisation;
        this.respectsLinks = respectsLinks;
        this.respectsCompute = respectsCompute;
    }

    boolean isHolistic() {
        return isHolistic;
    }

    boolean chargesUtilisation() {
        return chargesUtilisation;
    }

    boolean respects(final boolean isLink) {
        return isLink ? respectsLinks : respectsCompute;
    }
}
