// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CrossingsTest {
    /** Beside it the paths, link by link and by name. */
    @Test
    void flowsPassTheLinksOfTheirPathsByTheWeightsOfThese() {
        for (long seed = 0; seed < 500; seed++) {
            final var instance = new Instance(RandomRounds.any(seed), 0);
            final int[] flows = IntStream.range(0, instance.need.length).toArray();
            assertCrossings(instance, flows, instance.crossings, "seed " + seed);
            assertArrayEquals(IntStream.range(0, instance.links.size()).toArray(), instance.crossings.links);
        }
    }

    @Test
    void someFlowsPassSomeLinksAsInTheRound() {
        for (long seed = 0; seed < 500; seed++) {
            final var where = "seed " + seed;
            final var random = new Random(seed);
            final var instance = new Instance(RandomRounds.any(seed), 0);
            final int[] flows = some(instance.need.length, random);
            final int[] links = some(instance.links.size(), random);
            final var none = new int[instance.links.size()];
            Arrays.fill(none, -1);
            final int[] room = none.clone();
            final var crossings = instance.crossings.select(flows, links, room);
            assertArrayEquals(none, room, where);
            assertArrayEquals(links, crossings.links, where);
            assertCrossings(instance, flows, crossings, where);
        }
    }

    private static int[] some(final int count, final Random random) {
        return IntStream.range(0, count).filter(number -> random.nextBoolean()).toArray();
    }

    /** Every part, by the rows and by the columns of the matrix. */
    private static void assertCrossings(final Instance instance, final int[] flows, final Crossings crossings,
            final String where) {
        for (int link = 0; link < crossings.links.length; link++) {
            final int number = crossings.links[link];
            for (int flow = 0; flow < flows.length; flow++) {
                final double part = part(instance, flows[flow], number);
                assertEquals(part > 0, crossings.passes(flow, link), where);
                final var alone = new double[flows.length];
                alone[flow] = 1;
                assertEquals(part, crossings.load(link, alone), 1e-15, where);
                assertEquals(part, crossings.loads(alone)[link], 1e-15, where);
            }
            assertArrayEquals(IntStream.range(0, flows.length).filter(flow -> part(instance, flows[flow], number) > 0)
                .toArray(), crossings.flowsOn(link), where);
        }
        for (int flow = 0; flow < flows.length; flow++) {
            final int numbered = flows[flow];
            assertArrayEquals(IntStream.range(0, crossings.links.length).filter(link ->
                part(instance, numbered, crossings.links[link]) > 0).toArray(), crossings.linksOf(flow), where);
            for (int at = crossings.firstLink[flow]; at < crossings.firstLink[flow + 1]; at++) {
                assertEquals(part(instance, numbered, crossings.links[crossings.linkAt[at]]), crossings.linkPart[at],
                    1e-15, where);
            }
        }
    }

    private static double part(final Instance instance, final int flow, final int link) {
        final var paths = instance.flows.get(flow).paths();
        final double whole = paths.stream().mapToDouble(PathShare::weight).sum();
        return paths.stream().filter(path -> path.links().contains(instance.links.get(link).name()))
            .mapToDouble(PathShare::weight).sum() / whole;
    }
}
