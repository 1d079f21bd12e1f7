// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AdditionsTest {
    @Test
    void allIsSharedOutByLargestRemainder() {
        assertEquals(List.of(5L, 3L, 2L), Additions.inParts(10, new double[] {5.4, 2.7, 1.9}).ofSite());
        assertEquals(List.of(0L, 7L), Additions.inParts(7, new double[] {0, 0.1}).ofSite());
    }

    @Test
    void hugeTotalsAreSharedOutToTheLastCycle() {
        final var random = new Random(1);
        for (int run = 0; run < 1_000; run++) {
            final long total = random.nextLong(Long.MAX_VALUE);
            final var parts = random.doubles(1 + random.nextInt(9), 0, 1).toArray();
            final var shares = Additions.inParts(total, parts).ofSite();
            assertEquals(total, LongStream.of(shares.stream().mapToLong(Long::longValue).toArray()).sum());
            assertTrue(shares.stream().allMatch(share -> share >= 0));
        }
    }

    @Test
    void whatAVnfMayUseGrowsWithTheSite() {
        final var vnf = new Vnf("nat", 1, List.of(new Deployment(0, 300), new Deployment(1, 100)));
        final var problem = new Problem(new Network(List.of("a"), List.of()), List.of(new Site(0, 1_000),
            new Site(0, 1_000)), List.of(vnf), List.of());
        final var grown = new Additions(List.of(501L, 0L)).applyTo(problem);
        assertEquals(List.of(new Site(0, 1_501), new Site(0, 1_000)), grown.sites());
        assertEquals(List.of(new Deployment(0, 450), new Deployment(1, 100)), grown.vnfs().get(0).deployments());
    }

    @Test
    void whatIsBeyondMeasureIsRefused() {
        final var problem = new Problem(new Network(List.of("a"), List.of()), List.of(new Site(0, 1_000)), List.of(),
            List.of());
        final var huge = new Additions(List.of(Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> huge.applyTo(problem));
        assertThrows(IllegalArgumentException.class, () -> new Additions(List.of(-1L)));
    }
}
