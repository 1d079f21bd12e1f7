// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.ReportSender;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports, and passes on the rates that come back. If none come any more, those who send are not held back any longer:
 * what their meters do meanwhile is not known here. One thread.
 */
final class Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
    private static final long MOST_SILENT_NS = 3_000_000_000L;

    private final FlowSampler sampler;
    private final ReportSender sender;
    private final Consumer<MeterRates> rates;
    private final LongSupplier nowNs;
    private long answeredNs;

    /**
     * Reports nothing before {@link #report}.
     *
     * @param nowNs a clock that only goes forward
     */
    Reporter(final FlowSampler sampler, final ReportSender sender, final Consumer<MeterRates> rates,
            final LongSupplier nowNs) {
        this.sampler = sampler;
        this.sender = sender;
        this.rates = rates;
        this.nowNs = nowNs;
        answeredNs = nowNs.getAsLong();
    }

    /** Called each second. */
    void report() throws InterruptedException {
        final var answer = answer();
        final long now = nowNs.getAsLong();
        if (answer.isPresent()) {
            answeredNs = now;
            rates.accept(answer.orElseThrow());
        } else if (now - answeredNs >= MOST_SILENT_NS) {
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
