// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportsTest {
    private static final ApplicationId APPLICATION = new ApplicationId("t", "a");
    private static final FlowId LARGE = new FlowId(APPLICATION, "large");
    private static final FlowId SMALL = new FlowId(APPLICATION, "small");
    private static final FlowId IDLE = new FlowId(APPLICATION, "idle");
    private static final FlowId OTHER = new FlowId(new ApplicationId("t", "b"), "other");
    private static final long INTERVAL_US = 5_000_000;
    private static final long INTERVAL_NS = INTERVAL_US * 1000;

    private final Reports reports = new Reports();

    @BeforeEach
    void tell() {
        reports.take(LARGE, sent(2000), INTERVAL_US, INTERVAL_US, 0);
        reports.take(SMALL, sent(200), INTERVAL_US, INTERVAL_US, 0);
        reports.take(IDLE, sent(0), INTERVAL_US, INTERVAL_US, 0);
    }

    @Test
    void countsForThreeIntervals() {
        assertEquals(Optional.of(sent(2000)), reports.of(LARGE, INTERVAL_US, 3 * INTERVAL_NS));
        assertEquals(Reporting.CURRENT, reports.of(APPLICATION, INTERVAL_US, 3 * INTERVAL_NS));
        assertEquals(Optional.empty(), reports.of(OTHER, INTERVAL_US, 0));
        assertEquals(Reporting.NONE, reports.of(OTHER.application(), INTERVAL_US, 0));
    }

    @Test
    void anIntervalWithoutLengthIsRefusedAndNothingIsKeptOfIt() {
        assertThrows(IllegalArgumentException.class, () -> reports.take(OTHER, sent(1), 0, INTERVAL_US, 0));
        assertEquals(Optional.empty(), reports.of(OTHER, INTERVAL_US, 0));
    }

    @Test
    void goesAThirdOfTheWayToTheMeanInEachIntervalAfterThat() {
        assertEquals(Optional.of(sent(1700)), reports.of(LARGE, INTERVAL_US, 3 * INTERVAL_NS + 1));
        assertEquals(Optional.of(sent(500)), reports.of(SMALL, INTERVAL_US, 4 * INTERVAL_NS));
        assertEquals(Optional.of(sent(1500)), reports.of(LARGE, INTERVAL_US, 4 * INTERVAL_NS + 1));
        assertEquals(Optional.of(sent(1116)), reports.of(LARGE, INTERVAL_US, 13 * INTERVAL_NS));
        assertEquals(Reporting.SILENT, reports.of(APPLICATION, INTERVAL_US, 3 * INTERVAL_NS + 1));
    }

    @Test
    void theMeanIsOfWhatCounts() {
        final long lateNs = 10 * INTERVAL_NS;
        reports.take(new FlowId(APPLICATION, "late"), sent(2000), INTERVAL_US, INTERVAL_US, lateNs);
        assertEquals(Optional.of(sent(2000)), reports.of(new FlowId(APPLICATION, "late"), INTERVAL_US,
            lateNs + 4 * INTERVAL_NS));
    }

    @Test
    void countsForNothingInTheEndAndAtOnceIfItsFlowWasIdle() {
        assertEquals(Optional.empty(), reports.of(LARGE, INTERVAL_US, 13 * INTERVAL_NS + 1));
        assertEquals(Optional.empty(), reports.of(IDLE, INTERVAL_US, 3 * INTERVAL_NS + 1));
        assertEquals(Reporting.SILENT, reports.of(APPLICATION, INTERVAL_US, 100 * INTERVAL_NS));
    }

    @Test
    void oneThatCountsForNothingIsNoPartOfTheNext() {
        reports.take(LARGE, sent(100), INTERVAL_US, INTERVAL_US, 13 * INTERVAL_NS);
        assertEquals(Optional.of(sent(1050)), reports.of(LARGE, INTERVAL_US, 13 * INTERVAL_NS));
        reports.take(LARGE, sent(100), INTERVAL_US, INTERVAL_US, 26 * INTERVAL_NS + 1);
        assertEquals(Optional.of(sent(100)), reports.of(LARGE, INTERVAL_US, 26 * INTERVAL_NS + 1));
        reports.take(IDLE, sent(100), INTERVAL_US, INTERVAL_US, 3 * INTERVAL_NS + 1);
        assertEquals(Optional.of(sent(100)), reports.of(IDLE, INTERVAL_US, 3 * INTERVAL_NS + 1));
    }

    @Test
    void oneFlowThatIsToldOfKeepsItsApplicationFromBeingSilent() {
        reports.take(SMALL, sent(200), INTERVAL_US, INTERVAL_US, 3 * INTERVAL_NS);
        assertEquals(Reporting.CURRENT, reports.of(APPLICATION, INTERVAL_US, 4 * INTERVAL_NS));
    }

    private static FlowReport sent(final long bytes) {
        return new FlowReport(bytes, 0, 0, 0, 0);
    }
}
