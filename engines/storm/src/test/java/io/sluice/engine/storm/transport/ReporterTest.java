// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.ReportSender;
import io.sluice.engine.storm.report.ReportServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is held back by a rate that nobody tells any more; time is passed by hand. */
@Timeout(60)
class ReporterTest {
    private static final MeterRates RATES = new MeterRates(Map.of(new TaskPair(1, 2), 100_000L));

    private final List<MeterRates> told = new ArrayList<>();
    private long nowNs;

    private Reporter reporter(final Supplier<List<PeerConnection>> peers, final int port) {
        return new Reporter(new FlowSampler("t-1-1", new Endpoint("w", 1), peers, new Arrivals(batch -> { }),
            task -> 0), new ReportSender(List.of(URI.create("http://127.0.0.1:" + port))), told::add, () -> nowNs);
    }

    private void reportAt(final long ms, final Reporter reporter) throws InterruptedException {
        nowNs = TimeUnit.MILLISECONDS.toNanos(ms);
        reporter.report();
    }

    @Test
    void whoGetsNoAnswerForThreeSecondsHoldsNobodyBackFurther() throws Exception {
        final Reporter reporter;
        try (var nimbus = new ReportServer(0, report -> Optional.of(RATES), () -> "{}")) {
            reporter = reporter(List::of, nimbus.port());
            reportAt(2000, reporter);
            assertEquals(List.of(RATES), told);
        }
        reportAt(4999, reporter);
        assertEquals(List.of(RATES), told);
        reportAt(5000, reporter);
        assertEquals(List.of(RATES, MeterRates.NONE), told);
    }

    @Test
    void whereFlowsCanNotBeSampledNobodyIsHeldBackFurther() throws InterruptedException {
        final var reporter = reporter(() -> {
            throw new IllegalStateException("too many open files");
        }, 1);
        reportAt(2999, reporter);
        assertEquals(List.of(), told);
        reportAt(3000, reporter);
        assertEquals(List.of(MeterRates.NONE), told);
    }
}
