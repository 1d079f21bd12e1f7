// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Metrics over HTTP: {@code GET /metrics}. Thread-safe. */
final class MetricsServer implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final List<String> READING = List.of("GET", "HEAD");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^\\s/:]+):([0-9]{1,5})");
    private static final int PORT_LIMIT = 65_535;
    /** Of the JDK's server: without them, who asks half a question has a descriptor of the process for ever. */
    private static final Map<String, String> LIMITS = Map.of("jdk.httpserver.maxConnections", "16",
        "sun.net.httpserver.maxReqTime", "10");

    static {
        LIMITS.forEach(System::setProperty);
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Listens.
     *
     * @param metrics the text of an answer
     * @throws IOException if the address can't be had
     */
    MetricsServer(final InetSocketAddress address, final Supplier<CompletionStage<String>> metrics)
            throws IOException {
        server = HttpServer.create(address, 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, metrics));
        server.start();
    }

    /** Reads {@code ADDRESS:PORT}, of IPv6 {@code [ADDRESS]:PORT}. */
    static InetSocketAddress address(final String text) throws IOException {
        final var parts = ADDRESS.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > PORT_LIMIT) {
            throw new IllegalArgumentException("--metrics is not ADDRESS:PORT: " + text);
        }
        return new InetSocketAddress(InetAddress.getByName(parts.group(1)), Integer.parseInt(parts.group(2)));
    }

    /** Returns where the metrics are. */
    URI url() {
        final var address = server.getAddress();
        final var host = address.getAddress().getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort() + PATH);
    }

    private static void answer(final HttpExchange exchange, final Supplier<CompletionStage<String>> metrics)
            throws IOException {
        if (!PATH.equals(exchange.getRequestURI().getPath())) {
            say(exchange, HttpURLConnection.HTTP_NOT_FOUND, "Metrics are at " + PATH + ".\n");
        } else if (!READING.contains(exchange.getRequestMethod())) {
            exchange.getResponseHeaders().set("Allow", String.join(", ", READING));
            say(exchange, HttpURLConnection.HTTP_BAD_METHOD, "Metrics are only read.\n");
        } else {
            try {
                final var text = metrics.get().toCompletableFuture().join();
                say(exchange, HttpURLConnection.HTTP_OK, text);
            } catch (CompletionException e) {
                say(exchange, HttpURLConnection.HTTP_UNAVAILABLE, e.getCause().getMessage() + "\n");
            }
        }
    }

    private static void say(final HttpExchange exchange, final int status, final String text) throws IOException {
        final byte[] octets = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        final boolean headersAlone = "HEAD".equals(exchange.getRequestMethod());
        exchange.sendResponseHeaders(status, headersAlone ? -1 : octets.length);
        try (var out = exchange.getResponseBody()) {
            if (!headersAlone) {
                out.write(octets);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
