// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** From a to b there is a link, back there is none; VNF near is at a, far at b, and closed has a deployment of 0. */
class ObstaclesTest {
    private static final int NEAR = 0;
    private static final int FAR = 1;
    private static final int CLOSED = 2;

    @Test
    void saysWhatIsInTheWayOfEachChain() {
        assertEquals("no route at all for back (a is out of reach of b), detour (VNF near is out of reach of VNF far), "
            + "shut (VNF closed has no open deployment), deaf (b is out of reach of a)",
            reason(chain("back", 1, 0, 0), chain("detour", 0, 1, 0, FAR, NEAR), chain("shut", 0, 1, 0, CLOSED),
                chain("deaf", 0, 1, 5)));
    }

    @Test
    void ofManyChainsTheFirstTenAreTold() {
        final var chains = IntStream.range(0, 10_000).mapToObj(each -> chain("c" + each, 1, 0, 0))
            .toArray(Chain[]::new);
        final var said = reason(chains);
        assertEquals(10, said.split("out of reach", -1).length - 1);
        assertEquals(" and 9990 more", said.substring(said.lastIndexOf(')') + 1));
    }

    private static String reason(final Chain... chains) {
        final var link = new Link(0, 1, new Bandwidth(1_000), Bandwidth.ZERO, 1_000_000, 5, 1);
        return Obstacles.reason(Instance.of(new Problem(new Network(List.of("a", "b"), List.of(link)),
            List.of(new Site(0, 9), new Site(1, 9)), List.of(new Vnf("near", 0, List.of(new Deployment(0, 9))),
                new Vnf("far", 0, List.of(new Deployment(1, 9))),
                new Vnf("closed", 0, List.of(new Deployment(1, 0)))), List.of(chains))),
            IntStream.range(0, chains.length).boxed().toList());
    }

    private static Chain chain(final String name, final int from, final int to, final long reverse,
            final Integer... vnfs) {
        return new Chain(name, List.of(from), List.of(to), List.of(vnfs), IntStream.rangeClosed(0, vnfs.length)
            .mapToObj(stage -> new Stage(new Bandwidth(7), new Bandwidth(reverse))).toList());
    }
}
