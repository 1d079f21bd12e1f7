// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Stage;
import java.util.List;

/** Problems that fit into a sentence. */
final class SmallProblems {
    private SmallProblems() {
        // makes, and has no instances
    }

    /** One link of 1,000 bit/s from a to b. */
    static Problem line(final Chain... chains) {
        return between(List.of(link(0, 1, 1_000, 5)), chains);
    }

    /** Two links from a to b; the second, which takes longer, has 1,000 bit/s. */
    static Problem pair(final long firstBps, final Chain... chains) {
        return between(List.of(link(0, 1, firstBps, 5), link(0, 1, 1_000, 7)), chains);
    }

    /** A chain from a to b without a VNF. */
    static Chain direct(final String name, final long bps) {
        return new Chain(name, List.of(0), List.of(1), List.of(), List.of(new Stage(new Bandwidth(bps),
            Bandwidth.ZERO)));
    }

    static Link link(final int from, final int to, final long bps, final long delayUs) {
        return new Link(from, to, new Bandwidth(bps), Bandwidth.ZERO, 1_000_000, delayUs, 1);
    }

    private static Problem between(final List<Link> links, final Chain... chains) {
        return new Problem(new Network(List.of("a", "b"), links), List.of(), List.of(), List.of(chains));
    }
}
