// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final Connection OVER = new Connection(Endpoint.parse("10.0.0.1:50000"),
        Endpoint.parse("10.0.0.2:6700"));
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);

    /** Two reports that arrive at once are a second apart where they come from. */
    @Test
    void aReportThatWasLateCountsForASecond() {
        final var before = new FlowState(OVER, 1000, 10, 0, 0, 0);
        final var after = new FlowState(OVER, 2000, 20, 0, 0, 1);
        assertEquals(new Figures(5000, 0, 20, 0, 0), Figures.between(before, after, INTERVAL_NS));
    }

    @Test
    void aWorkerThatBeginsAnewHasTransferredWhatItHasSinceThen() {
        final var before = new FlowState(OVER, 1_000_000, 7000, 0, 0, 0);
        final var begun = new FlowState(OVER, 500, 20, 0, 0, INTERVAL_NS);
        final var after = new FlowState(OVER, 800, 20, 0, 0, 2 * INTERVAL_NS);
        assertEquals(new Figures(500, 0, 20, 0, 0), Figures.between(before, begun, INTERVAL_NS));
        assertEquals(300, Figures.between(begun, after, INTERVAL_NS).transferred());
    }

    /** 64 kB went to the kernel between the looks at both queues. */
    @Test
    void whatIsSeenTwiceIsNoBeginning() {
        final var before = new FlowState(OVER, 1_000_000, 0, 0, 0, 0);
        final var twice = new FlowState(OVER, 936_000, 128_000, 0, 0, INTERVAL_NS);
        final var after = new FlowState(OVER, 1_010_000, 54_000, 0, 0, 2 * INTERVAL_NS);
        assertEquals(new Figures(0, 0, 128_000, 0, 0), Figures.between(before, twice, INTERVAL_NS));
        assertEquals(new Figures(74_000, 128_000, 54_000, 0, 0), Figures.between(twice, after, INTERVAL_NS));
    }
}
