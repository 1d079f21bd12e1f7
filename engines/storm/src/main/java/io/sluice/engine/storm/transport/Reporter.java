// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.report.ReportSender;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports once a second, on a thread of its own. */
final class Reporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
    private static final long PERIOD_MS = 1000;

    private final FlowSampler sampler;
    private final ReportSender sender;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        final var made = new Thread(task, "sluice-reporter");
        made.setDaemon(true);
        return made;
    });

    Reporter(final FlowSampler sampler, final ReportSender sender) {
        this.sampler = sampler;
        this.sender = sender;
        thread.scheduleAtFixedRate(this::report, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void report() {
        try {
            sender.send(sampler.sample());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            LOG.warn("flows can't be reported", e);
        }
    }
}
