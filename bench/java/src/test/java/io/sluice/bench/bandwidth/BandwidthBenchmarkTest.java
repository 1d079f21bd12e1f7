// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.bandwidth.AppAware;
import io.sluice.bandwidth.AppMaxMin;
import org.junit.jupiter.api.Test;

class BandwidthBenchmarkTest {
    @Test
    void anApplicationAloneHasTheOptimumByOursAndNoMoreByAlgorithmOne() {
        for (int seed = 0; seed < 20; seed++) {
            assertEquals(1, BandwidthBenchmark.aloneToOptimum(new AppMaxMin(), seed), 1e-4, "seed " + seed);
            assertTrue(BandwidthBenchmark.aloneToOptimum(new AppAware(), seed) < 1 + 1e-4, "seed " + seed);
        }
    }
}
