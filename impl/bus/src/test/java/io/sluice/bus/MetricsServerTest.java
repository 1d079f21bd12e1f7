// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.svc.v1.urn.sluice.bus.rev261122.YangModuleInfoImpl;

/** What a proxy that is a process of its own tells Prometheus. */
class MetricsServerTest {
    private static final LinkState LINK = new LinkState(true, 1, 2, 3, 4, 5);

    private final HttpClient client = HttpClient.newHttpClient();

    private static String text() {
        final var refusals = new EnumMap<Refusal, Long>(Refusal.class);
        for (final var reason : Refusal.values()) {
            refusals.put(reason, 20L + reason.ordinal());
        }
        return ProxyMetrics.of(new ProxyState("A", Map.of("A/one", LINK, "A/two", LinkState.DOWN, "B", LINK), 6, 7,
            refusals, 8, 9), 10);
    }

    private HttpResponse<String> ask(final String method, final URI url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(url).method(method, HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void linksAreToldByNodeAndSiteAndFramesByReason() {
        final var lines = text().lines().toList();
        assertTrue(lines.containsAll(List.of(
            "# HELP sluice_bus_node_link_up Whether there is a session.", "# TYPE sluice_bus_node_link_up gauge",
            "sluice_bus_node_link_up{node_name=\"one\"} 1", "sluice_bus_node_link_up{node_name=\"two\"} 0",
            "sluice_bus_remote_site_link_up{remote_site_name=\"B\"} 1",
            "# TYPE sluice_bus_remote_site_link_messages_total counter",
            "sluice_bus_remote_site_link_messages_total{remote_site_name=\"B\"} 1",
            "sluice_bus_node_link_unconfirmed{node_name=\"one\"} 2",
            "sluice_bus_node_link_waiting{node_name=\"one\"} 3",
            "sluice_bus_node_link_deferred_total{node_name=\"one\"} 4",
            "sluice_bus_node_link_renewals_total{node_name=\"one\"} 5", "sluice_bus_filters 6", "sluice_bus_streams 7",
            "sluice_bus_replaced_sessions_total 8", "sluice_bus_withdrawn_values_total 9",
            "sluice_bus_refused_connections_total 10", "sluice_bus_refused_frames_unknown_key_total 20",
            "sluice_bus_refused_frames_duplicate_total 28")), () -> String.join("\n", lines));
    }

    /** The controller has name and help of a metric from there. */
    @Test
    void theModelSaysTheSame() throws IOException {
        final var model = YangModuleInfoImpl.getInstance().getYangTextCharSource().readLines().stream()
            .map(String::strip).collect(Collectors.joining(" "));
        for (final var line : text().lines().filter(each -> each.startsWith("# HELP")).toList()) {
            final var words = line.split(" ", 4);
            assertTrue(model.contains("\"" + words[3]), line);
            final var leaf = words[2].replaceAll("sluice_bus_((node|remote_site)_link_|refused_frames_)?|_total", "")
                .replace('_', '-');
            assertTrue(Pattern.compile("leaf " + leaf + " \\{[^{}]*sl-types:metric[^{}]*\"" + Pattern.quote(words[3]))
                .matcher(model).find(), line);
        }
    }

    @Test
    void scrapesAreAnsweredAndOthersRefused() throws IOException, InterruptedException {
        try (var server = new MetricsServer(MetricsServer.address("127.0.0.1:0"),
                () -> CompletableFuture.completedFuture("sluice_bus_streams 1\n"))) {
            final var found = ask("GET", server.url());
            assertEquals(200, found.statusCode());
            assertEquals("sluice_bus_streams 1\n", found.body());
            assertEquals("text/plain; version=0.0.4; charset=utf-8",
                found.headers().firstValue("Content-Type").orElseThrow());
            final var headers = ask("HEAD", server.url());
            assertEquals(200, headers.statusCode());
            assertEquals("", headers.body());
            assertEquals(404, ask("GET", server.url().resolve("/metrics/x")).statusCode());
            assertEquals(405, ask("DELETE", server.url()).statusCode());
            assertThrows(IOException.class, () -> new MetricsServer(
                MetricsServer.address("127.0.0.1:" + server.url().getPort()), CompletableFuture::new));
        }
    }

    /** So that they do not take the descriptors which the bus needs. */
    @Test
    void whoConnectsAndAsksNothingHasFewConnections() throws IOException {
        final int many = 40;
        final var sockets = new ArrayList<Socket>();
        int closed = 0;
        try (var server = new MetricsServer(MetricsServer.address("127.0.0.1:0"),
                () -> CompletableFuture.completedFuture(""))) {
            for (int i = 0; i < many; i++) {
                sockets.add(new Socket("127.0.0.1", server.url().getPort()));
            }
            for (final var socket : sockets) {
                socket.setSoTimeout(500);
                try {
                    closed += socket.getInputStream().read() < 0 ? 1 : 0;
                } catch (SocketTimeoutException e) {
                    continue;
                }
            }
        } finally {
            for (final var socket : sockets) {
                socket.close();
            }
        }
        assertTrue(closed >= many - 16, closed + " were closed");
    }

    @Test
    void aProxyThatDoesNotAnswerIsTold() throws IOException, InterruptedException {
        try (var server = new MetricsServer(MetricsServer.address("[::1]:0"),
                () -> CompletableFuture.failedFuture(new TimeoutException("the proxy has not answered for 5 s")))) {
            final var answer = ask("GET", server.url());
            assertEquals(503, answer.statusCode());
            assertEquals("the proxy has not answered for 5 s\n", answer.body());
        }
    }
}
