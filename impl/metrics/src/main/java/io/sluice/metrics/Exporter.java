// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** Answers scrapes. Thread-safe. */
public final class Exporter {
    private final Supplier<EffectiveModelContext> models;
    private final OperationalState state;
    private final Duration limit;
    private final ExpositionFormatWriter plain = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();
    private volatile Known known;

    /** What was found in the models when they were read last. */
    private record Known(EffectiveModelContext models, List<Part> parts) { }

    /** The end of a scrape. */
    public sealed interface Answer {
        /** All metrics, in a format that the client takes. */
        record Exposition(String contentType, String text) implements Answer { }

        /** The datastore failed, or did not answer in time. */
        record Unavailable(String reason) implements Answer { }
    }

    /**
     * Starts without reading anything.
     *
     * @param models the models that are loaded now
     * @param limit how long a scrape waits for the datastore
     */
    public Exporter(final Supplier<EffectiveModelContext> models, final OperationalState state, final Duration limit) {
        this.models = models;
        this.state = state;
        this.limit = limit;
    }

    /**
     * Reads the state once and writes it as text.
     *
     * @param accept media types that the client takes, as in HTTP's header; empty for any
     */
    public Answer scrape(final String accept) throws InterruptedException {
        final var parts = parts();
        final var read = state.read(parts.stream().map(Part::id).toList());
        try {
            return exposition(Scrape.of(parts, read.get(limit.toNanos(), TimeUnit.NANOSECONDS)), accept);
        } catch (TimeoutException e) {
            read.cancel(false);
            return new Answer.Unavailable("the datastore did not answer within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            return new Answer.Unavailable("the datastore can't be read: " + e.getCause().getMessage());
        }
    }

    /** The models change only when a feature is installed: what was found in them is kept. */
    private List<Part> parts() {
        final var present = models.get();
        final var last = known;
        if (last != null && last.models() == present) {
            return last.parts();
        }
        final var parts = MarkedModels.read(present);
        known = new Known(present, parts);
        return parts;
    }

    private Answer exposition(final MetricSnapshots metrics, final String accept) {
        final var writer = openMetrics.accepts(accept) ? openMetrics : plain;
        final var text = new ByteArrayOutputStream();
        try {
            writer.write(text, metrics);
        } catch (IOException e) {
            throw new UncheckedIOException("a write to memory failed", e);
        }
        return new Answer.Exposition(writer.getContentType(), text.toString(StandardCharsets.UTF_8));
    }
}
