// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.OWNER;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Entry;
import io.sluice.api.FabricSnapshot;
import io.sluice.testlib.Packet;
import io.sluice.testlib.Topologies;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much of a flow passes at once: the buckets of meters, and what a change of the rate adds to them. */
class MeteringTest {
    private static final FabricSnapshot NETWORK = Topologies.line(2, 1, 2, new Topologies.Rates(
        Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10)));
    private static final long LONGEST_FRAME_BITS = 1514 * Byte.SIZE;
    /** More than the bucket of any rate here takes. */
    private static final int MANY = 10_000;

    private final EngineBed bed = new EngineBed(NETWORK);

    @ParameterizedTest
    @CsvSource({"1, 49", "100, 49", "124, 49", "125, 50", "1000, 400", "10000, 4000", "1000000, 400000",
        "4294967295, 1717986918"})
    void aBucketTakes400MillisecondsAtTheRate(final long kilobits, final long burstKilobits) {
        assertEquals(burstKilobits, burst(kilobits));
    }

    @Test
    void theSmallestBucketTakesFourFramesAndNoMore() {
        final long bits = burst(1) * 1000;

        assertTrue(bits >= 4 * LONGEST_FRAME_BITS && bits - 1000 < 4 * LONGEST_FRAME_BITS, () -> bits + " bits");
    }

    @ParameterizedTest
    @CsvSource({"999, 0", "1999, 1", "10000000, 10000", "9223372036854775807, 4294967295"})
    void ratesAreRoundedDownToWhatAMeterCanHave(final long bitsPerSecond, final long kilobits) {
        assertEquals(kilobits, Metering.kilobits(bitsPerSecond));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "1, 8", "8, 1"})
    void aChangeOfTheRateIsOneChangeAndLetsOneBucketOfTheNewRatePass(final int before, final int after) {
        bed.configure(limited(flow("a", 1, 3), before));
        assertEquals(bucket(before), bed.rush(1, 3, MANY));
        final long changes = bed.network.at(node(1)).changes();

        bed.configure(limited(flow("a", 1, 3), after));

        assertEquals(changes + 1, bed.network.at(node(1)).changes());
        assertEquals(bucket(after), bed.rush(1, 3, MANY));
    }

    @Test
    void roundsThatChangeNothingFillNoBucket() {
        bed.configure(limited(flow("a", 1, 3), 1));
        assertEquals(bucket(1), bed.rush(1, 3, MANY));

        for (int round = 0; round < 5; round++) {
            bed.reallocate();
        }

        assertEquals(0, bed.rush(1, 3, MANY));
    }

    /** Kilobits of the bucket of a meter of this rate. */
    private static long burst(final long kilobits) {
        final var metering = new Metering(NETWORK.hosts().getFirst().attachment(), flow("a", 1, 3).packets(), kilobits,
            Optional.empty(), Optional.empty());
        return ((Entry.Meter) metering.entries(OWNER, 0, OptionalInt.of(0)).getFirst()).burst();
    }

    /** Packets that the bucket of a rate takes. */
    private static long bucket(final int megabits) {
        return burst(megabits * 1000L) * 1000 / (Packet.LENGTH_BYTES * Byte.SIZE);
    }
}
