// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.ReportSender;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports once a second, on a thread of its own, and passes on the rates that come back. If none come any more, those
 * who send are not held back any longer: what their meters do meanwhile is not known here.
 */
final class Reporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
    private static final long PERIOD_MS = 1000;
    private static final long MOST_SILENT_NS = 3_000_000_000L;

    private final FlowSampler sampler;
    private final ReportSender sender;
    private final Consumer<MeterRates> rates;
    private long answeredNs = System.nanoTime();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        final var made = new Thread(task, "sluice-reporter");
        made.setDaemon(true);
        return made;
    });

    Reporter(final FlowSampler sampler, final ReportSender sender, final Consumer<MeterRates> rates) {
        this.sampler = sampler;
        this.sender = sender;
        this.rates = rates;
        thread.scheduleAtFixedRate(this::report, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void report() {
        try {
            follow(answer(), System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("rates of meters can't be followed", e);
        }
    }

    private void follow(final Optional<MeterRates> answer, final long nowNs) {
        if (answer.isPresent()) {
            answeredNs = nowNs;
            rates.accept(answer.orElseThrow());
        } else if (nowNs - answeredNs >= MOST_SILENT_NS) {
            rates.accept(MeterRates.NONE);
        }
    }

    private Optional<MeterRates> answer() throws InterruptedException {
        try {
            return sender.send(sampler.sample());
        } catch (IOException | RuntimeException e) {
            LOG.warn("flows can't be reported", e);
            return Optional.empty();
        }
    }
}
