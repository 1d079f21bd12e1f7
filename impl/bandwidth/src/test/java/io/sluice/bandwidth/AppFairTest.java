// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.Allocation.Allocated;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AppFairTest {
    private static final int INTERVAL_US = 10_000_000;
    private static final int ROUNDS = 60;

    /** Five applications as in figure 13, 10 minutes in rounds of 10 seconds; flows in one queue share it as TCP. */
    @ParameterizedTest
    @CsvSource({"250000, 0.85", "500000, 0.95", "750000, 0.99", "1000000, 0.99"})
    void applicationsOfOneToFiveFlowsGetSimilarBandwidth(final int alphaPpm, final double leastIndex) {
        final var history = new HashMap<ApplicationId, Throughput>();
        for (int i = 0; i < ROUNDS; i++) {
            final var allocated = (Allocated) new AppFair(history, alphaPpm, 8).allocate(fiveApplications());
            final var bytes = new HashMap<ApplicationId, Long>();
            allocated.flows().forEach(rate -> bytes.merge(rate.flow().application(),
                rate.rate().bitsPerSecond() / 8 * (INTERVAL_US / 1_000_000), Long::sum));
            bytes.forEach((application, more) -> history.put(application,
                history.getOrDefault(application, Throughput.NONE).plus(more, INTERVAL_US)));
        }

        final double index = jain(history.values().stream().mapToDouble(Throughput::bytes).toArray());
        assertTrue(index >= leastIndex, () -> index + ": " + history);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void theLeastServedGroupGoesFirstAndThereAreNoMoreThanLevels(final int count) {
        final var history = new HashMap<ApplicationId, Throughput>();
        final var applications = IntStream.range(0, 30).mapToObj(i -> new ApplicationId("t", "a" + i)).toList();
        IntStream.range(0, 30).forEach(i -> history.put(applications.get(i),
            Throughput.NONE.plus(1_000L << i, INTERVAL_US)));

        final var levels = new AppFair(history, 0, count).levels(applications);
        assertEquals(0, levels.get(applications.getFirst()));
        IntStream.range(1, 30).forEach(i ->
            assertTrue(levels.get(applications.get(i)) >= levels.get(applications.get(i - 1))));
        assertTrue(levels.get(applications.getLast()) < count);
        assertEquals(count > 1, levels.get(applications.getLast()) > 0);
    }

    /** As TCP leaves applications of 1, 2, 3 ... flows. */
    @ParameterizedTest
    @CsvSource({"5, 2, 0 0 0 1 1", "5, 3, 0 0 1 1 2", "5, 4, 0 0 1 1 2", "5, 8, 0 1 2 3 4",
        "10, 8, 0 0 1 1 2 2 3 3 4 4"})
    void throughputsAtEqualDistancesAreDividedOverTheLevels(final int count, final int levels, final String expected) {
        final var applications = IntStream.range(0, count).mapToObj(i -> new ApplicationId("t", "a" + i)).toList();
        final var history = new HashMap<ApplicationId, Throughput>();
        IntStream.range(0, count).forEach(i -> history.put(applications.get(i),
            Throughput.NONE.plus(1_000_000L * (i + 1), INTERVAL_US)));

        final var given = new AppFair(history, 0, levels).levels(applications);
        assertEquals(expected, applications.stream().map(given::get).map(String::valueOf)
            .collect(Collectors.joining(" ")));
    }

    @Test
    void applicationsOfSimilarThroughputShareALevel() {
        final var a = new ApplicationId("t", "a");
        final var b = new ApplicationId("t", "b");
        final var history = Map.of(a, Throughput.NONE.plus(1_000_000, INTERVAL_US),
            b, Throughput.NONE.plus(1_040_000, INTERVAL_US));

        assertEquals(Map.of(a, 0, b, 0), new AppFair(history, 500_000, 8).levels(List.of(a, b)));
    }

    private static Round fiveApplications() {
        final var applications = IntStream.rangeClosed(1, 5).mapToObj(count -> new Application("a" + count, 1,
            IntStream.range(0, count).mapToObj(i -> Flow.of("f" + i, List.of("l"), Optional.empty())).toList()))
            .toList();
        return new Round(List.of(new AllocatableLink("l", Role.INTERNAL, Bandwidth.ofMegabits(10))),
            List.of(new Tenant("t", 1, applications)), INTERVAL_US);
    }

    private static double jain(final double[] shares) {
        double sum = 0;
        double squares = 0;
        for (final double share : shares) {
            sum += share;
            squares += share * share;
        }
        return sum * sum / (shares.length * squares);
    }
}
