// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the workers' reports on Nimbus, which are answered with {@link MeterRates}, and shows the map of flows to
 * whoever asks.
 */
public final class ReportServer implements AutoCloseable {
    /** POST: a {@link WorkerReport}. */
    public static final String REPORTS = "/reports";
    /** GET: the map of flows. */
    public static final String FLOWS = "/flows";

    private static final Logger LOG = LoggerFactory.getLogger(ReportServer.class);
    /** A report of a thousand flows has a fifth of that. {@code docs/storm.md} says what to do with more than fit. */
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_THREADS = 64;

    static {
        // in seconds, for all of the JDK's servers in this process: without them, who asks half a question, or does not
        // read the answer, has a thread for ever
        System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "10");
        System.getProperties().putIfAbsent("sun.net.httpserver.maxRspTime", "10");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(MOST_THREADS, task -> {
        final var thread = new Thread(task, "sluice-reports");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Listens at once.
     *
     * @param port 0 for any that is free
     * @param reports takes a report; empty if this Nimbus does not know its topology
     * @param flows the map of flows, in JSON
     * @throws IOException if the port is not to be had
     */
    public ReportServer(final int port, final Function<WorkerReport, Optional<MeterRates>> reports,
            final Supplier<String> flows) throws IOException {
        server = HttpServer.create(new InetSocketAddress(port), 0);
        server.createContext(REPORTS, exchange -> answer(exchange, "POST", () -> take(exchange, reports)));
        server.createContext(FLOWS, exchange -> answer(exchange, "GET",
            () -> new Answer(HttpURLConnection.HTTP_OK, flows.get())));
        server.setExecutor(threads);
        server.start();
    }

    private record Answer(int code, String text) { }

    @FunctionalInterface
    private interface Question {
        Answer ask() throws IOException;
    }

    /** Where it listens. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private static Answer take(final HttpExchange exchange, final Function<WorkerReport, Optional<MeterRates>> reports)
            throws IOException {
        final byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
        if (body.length > MOST_BYTES) {
            // who still sends when the connection goes does not get the answer
            exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            return new Answer(HttpURLConnection.HTTP_ENTITY_TOO_LARGE, "a report has at most " + MOST_BYTES
                + " bytes: give the topology more workers, so that each has fewer flows");
        }
        final WorkerReport report;
        try {
            report = WorkerReport.parse(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return new Answer(HttpURLConnection.HTTP_BAD_REQUEST, e.getMessage());
        }
        return reports.apply(report).map(rates -> new Answer(HttpURLConnection.HTTP_OK, rates.toJson()))
            .orElseGet(() -> new Answer(HttpURLConnection.HTTP_UNAVAILABLE,
                "this Nimbus has not placed " + report.topology()));
    }

    private static void answer(final HttpExchange exchange, final String method, final Question question)
            throws IOException {
        try (exchange) {
            final var answer = exchange.getRequestMethod().equals(method) ? question.ask()
                : new Answer(HttpURLConnection.HTTP_BAD_METHOD, "only " + method);
            final byte[] text = answer.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type",
                answer.code() == HttpURLConnection.HTTP_OK ? "application/json" : "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(answer.code(), text.length == 0 ? -1 : text.length);
            exchange.getResponseBody().write(text);
        } catch (RuntimeException e) {
            LOG.warn("{} of {} can't be answered", exchange.getRequestURI(), exchange.getRemoteAddress(), e);
        }
    }
}
