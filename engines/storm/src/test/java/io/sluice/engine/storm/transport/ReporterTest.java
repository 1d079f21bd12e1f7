// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.ReportSender;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who is held back by a rate that nobody tells any more. */
class ReporterTest {
    @Test
    void whereFlowsCanNotBeSampledNobodyIsHeldBackFurther() throws InterruptedException {
        final var sampler = new FlowSampler("t-1-1", new Endpoint("w", 1), () -> {
            throw new IllegalStateException("too many open files");
        }, new Arrivals(batch -> { }), task -> 0);
        final var told = new LinkedBlockingQueue<MeterRates>();
        final var reporter = new Reporter(sampler, ReportSender.to(List.of("127.0.0.1"), 1), told::add);
        try {
            assertEquals(MeterRates.NONE, told.poll(30, TimeUnit.SECONDS));
        } finally {
            reporter.close();
        }
    }
}
