// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import org.junit.jupiter.api.Test;

class FlowReportTest {
    @Test
    void whatIsToSendAndWasConsumedFollowsThePaper() {
        final var report = new FlowReport(100, 10, 30, 7, 2);

        assertEquals(150, report.toSend());
        assertEquals(105, report.consumed());
    }

    @Test
    void oneOddSampleMovesASmoothedReportByItsPartOnly() {
        final var calm = new FlowReport(100, 0, 0, 0, 0);

        assertEquals(new FlowReport(100, 0, 250, 0, 0), new FlowReport(100, 0, 1000, 0, 0).smoothed(calm, 250_000));
    }

    @Test
    void anIdleFlowIsIdleAtOnce() {
        final var idle = new FlowReport(0, 0, 0, 0, 0);

        assertTrue(idle.smoothed(new FlowReport(1000, 10, 10, 10, 10), 250_000).idle());
    }

    @Test
    void aReportOfAnotherIntervalHasTheSameRatesAndQueues() {
        final var report = new FlowReport(100, 10, 30, 7, 3);

        assertEquals(new FlowReport(50, 20, 30, 5, 3), report.over(2000, 1000));
        assertEquals(new FlowReport(300, 0, 30, 15, 3), report.over(1000, 3000));
        assertEquals(report, report.over(1000, 1000));
    }

    @Test
    void whatNoFlowCarriesIsCutOffAndRunsOverNowhere() {
        final long most = FlowReport.MOST_BYTES;
        final var absurd = new FlowReport(most, most, most, most, most);

        assertEquals(absurd, absurd.over(1, 36_000));
        assertEquals(new FlowReport(most, most, 0, 0, most), new FlowReport(most, most, 0, 0, most).over(1, 36_000));
        assertEquals(absurd, FlowReport.mean(Collections.nCopies(9, absurd)));
        assertTrue(new FlowReport(most, 0, most, most, 0).toSend() > 0);
    }

    @Test
    void anIntervalWithoutLengthIsRefused() {
        final var report = new FlowReport(100, 10, 30, 7, 3);

        assertThrows(IllegalArgumentException.class, () -> report.over(0, 1000));
        assertThrows(IllegalArgumentException.class, () -> report.over(1000, 0));
        assertThrows(IllegalArgumentException.class, () -> Throughput.NONE.plus(100, 0));
    }

    @Test
    void negativeBytesAreNoReport() {
        assertThrows(IllegalArgumentException.class, () -> new FlowReport(0, 0, -1, 0, 0));
    }
}
