// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.report;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a worker's reports to Nimbus. Where several hosts may run it, the one that took the last report is asked
 * first. While none takes them, reports are dropped: the next one says more. One thread.
 */
public final class ReportSender {
    private static final Logger LOG = LoggerFactory.getLogger(ReportSender.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int MOST_SKIPPED = 16;

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(PATIENCE).build();
    private final List<URI> nimbuses;
    private final Consumer<String> warnings;
    private int preferred;
    private boolean told;
    private int failures;
    private int toSkip;

    /** Sends to where Nimbus may run, addresses without path. */
    public ReportSender(final List<URI> nimbuses) {
        this(nimbuses, LOG::warn);
    }

    /** The same; warns when none takes reports. */
    ReportSender(final List<URI> nimbuses, final Consumer<String> warnings) {
        this.nimbuses = nimbuses.stream().map(nimbus -> nimbus.resolve(ReportServer.REPORTS)).toList();
        this.warnings = warnings;
    }

    /** Sends a report, or drops it if it is too early to try again; the answer, if it was taken. */
    public Optional<MeterRates> send(final WorkerReport report) throws InterruptedException {
        if (toSkip > 0) {
            toSkip--;
            return Optional.empty();
        }
        final var reasons = new ArrayList<String>();
        for (int tried = 0; tried < nimbuses.size(); tried++) {
            final var nimbus = nimbuses.get(preferred);
            try {
                final var rates = ask(nimbus, report);
                taken(nimbus);
                return Optional.of(rates);
            } catch (IOException e) {
                reasons.add(e.getMessage());
            }
            preferred = (preferred + 1) % nimbuses.size();
        }
        toSkip = Math.min(MOST_SKIPPED, 1 << Math.min(failures, MOST_SKIPPED)) - 1;
        if (failures++ == 0) {
            told = false;
            warnings.accept("nobody takes reports of flows, tuples go on: " + String.join(", ", reasons)
                + "; tried again");
        }
        return Optional.empty();
    }

    private void taken(final URI nimbus) {
        if (!told) {
            LOG.info("reports of flows go to {}", nimbus);
        }
        told = true;
        failures = 0;
    }

    private MeterRates ask(final URI nimbus, final WorkerReport report) throws IOException, InterruptedException {
        final HttpResponse<String> answer;
        try {
            answer = http.send(HttpRequest.newBuilder(nimbus).timeout(PATIENCE)
                .header("Content-Type", "application/json").POST(BodyPublishers.ofString(report.toJson())).build(),
                BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(nimbus + " does not answer (" + e + ")", e);
        }
        if (answer.statusCode() / 100 != 2) {
            throw new IOException(nimbus + " answers " + answer.statusCode() + " " + answer.body().strip());
        }
        try {
            return MeterRates.parse(answer.body());
        } catch (IllegalArgumentException e) {
            throw new IOException(nimbus + " answers with rates that can't be read: " + e.getMessage(), e);
        }
    }
}
