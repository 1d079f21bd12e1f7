// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.graph.MaxMin;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MaxMinRatesTest {
    @Test
    void flowsOfUnknownDemandHaveTheExactRatesOfTheGraphModule() {
        for (long seed = 0; seed < 2_000; seed++) {
            final var round = RandomRounds.withFlows(RandomRounds.any(seed), flow -> new Flow(flow.name(),
                flow.paths().subList(0, 1), Stage.ONLY, flow.weight(), Bandwidth.ZERO, flow.limit(),
                Optional.empty()));
            final var instance = new Instance(round, 0);
            final var expected = MaxMin.fill(
                Arrays.stream(instance.available).mapToLong(capacity -> (long) capacity).toArray(),
                IntStream.range(0, instance.need.length).mapToObj(flow -> new MaxMin.Flow(
                    Arrays.stream(instance.crossings.linksOf(flow)).boxed().toList(), instance.flows.get(flow).weight(),
                    instance.limit[flow] < Double.POSITIVE_INFINITY ? OptionalLong.of((long) instance.limit[flow])
                        : OptionalLong.empty())).toList());
            final var rates = ((Allocated) new MaxMinRates().allocate(round)).flows();
            for (int flow = 0; flow < rates.size(); flow++) {
                assertEquals(expected.get(flow).rate(), rates.get(flow).rate().bitsPerSecond(), 1.0,
                    "seed " + seed + ", " + rates.get(flow).flow());
            }
        }
    }
}
