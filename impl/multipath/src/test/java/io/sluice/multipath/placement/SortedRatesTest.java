// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.multipath.placement.SortedRates.Difference;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SortedRatesTest {
    private static final int CASES = 3_000;
    private static final int FLOWS = 9;

    /** The slow way: one rate a flow. */
    @Test
    void comparesAsIfEachFlowStoodAlone() {
        int differences = 0;
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var one = shares(random);
            final var other = shares(random);
            final var here = Scene.rates(one);
            final var there = Scene.rates(other);
            final int at = Arrays.mismatch(here.stream().mapToLong(SortedRates::level).toArray(),
                there.stream().mapToLong(SortedRates::level).toArray());

            final var difference = rates(one).difference(rates(other));
            assertEquals(at < 0 ? Optional.empty() : Optional.of(new Difference(here.get(at), there.get(at))),
                difference, "seed " + seed);
            assertEquals(at < 0 ? 0 : Double.compare(here.get(at), there.get(at)),
                SortedRates.WORST_FIRST.compare(rates(one), rates(other)), "seed " + seed);
            differences += difference.isPresent() ? 1 : 0;
        }
        assertTrue(differences > CASES / 10 && differences < CASES, differences + " of " + CASES + " differed");
    }

    private static SortedRates rates(final FairShares shares) {
        return shares.whole(List.of()).rates().sorted();
    }

    /** Few and small limits, so that many flows have equal rates. */
    private static FairShares shares(final Random random) {
        final var scene = Scene.random(random, 4);
        final var shares = scene.world().shares();
        final var path = scene.shortest(1, 2).getFirst();
        final var back = new PathFinder(scene.fabric).reversed(path);
        for (int flow = 0; flow < FLOWS; flow++) {
            shares.add(shares.channel(path, back, Optional.of(new Bandwidth(1 + random.nextInt(2)))));
        }
        return shares;
    }
}
