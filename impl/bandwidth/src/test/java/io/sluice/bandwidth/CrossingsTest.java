// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CrossingsTest {
    /** Beside it the whole round, in which the other flows have nothing. */
    @Test
    void someFlowsPassTheLinksThatTheyPassInTheRound() {
        for (long seed = 0; seed < 500; seed++) {
            final var where = "seed " + seed;
            final var random = new Random(seed);
            final var instance = new Instance(RandomRounds.any(seed), 0);
            final int[] flows = IntStream.range(0, instance.need.length).filter(flow -> random.nextBoolean()).toArray();
            final var crossings = new Crossings(instance, flows, new int[instance.available.length]);
            assertArrayEquals(IntStream.of(flows).flatMap(flow -> Arrays.stream(instance.linksOf[flow])).distinct()
                .sorted().toArray(), crossings.links, where);
            final double[] rates = random.doubles(flows.length, 1, 10).toArray();
            final var inRound = new double[instance.need.length];
            IntStream.range(0, flows.length).forEach(flow -> inRound[flows[flow]] = rates[flow]);
            for (int link = 0; link < crossings.links.length; link++) {
                final int number = crossings.links[link];
                assertEquals(instance.load(number, inRound), crossings.load(link, rates), where);
                for (int flow = 0; flow < flows.length; flow++) {
                    assertEquals(IntStream.of(instance.linksOf[flows[flow]]).anyMatch(passed -> passed == number),
                        crossings.passes(flow, link), where);
                }
            }
            for (int flow = 0; flow < flows.length; flow++) {
                assertArrayEquals(instance.linksOf[flows[flow]], Arrays.stream(crossings.linkAt,
                    crossings.firstLink[flow], crossings.firstLink[flow + 1]).map(link -> crossings.links[link])
                    .toArray(), where);
            }
        }
    }
}
