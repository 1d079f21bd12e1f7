// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestconfWatchTest {
    private final List<String> lines = new ArrayList<>();
    private long uptimeMs = 21_340;
    private final RestconfWatch watch = new RestconfWatch(this::servers, () -> uptimeMs, lines::add);
    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
        watch.close();
    }

    @Test
    void saysOnceWhenThereIsAChallenge() {
        watch.look();
        refuse("/", Map.of());
        watch.look();
        assertEquals(List.of(), lines);
        assertFalse(watch.hasEnded());

        refuse("/rests", Map.of("WWW-Authenticate", List.of("BASIC realm=\"application\"")));
        watch.look();
        assertEquals(List.of("RESTCONF answers after 21.3 s: " + address() + "rests/data"), lines);
        assertTrue(watch.hasEnded());
    }

    @Test
    void isPatientForTenMinutes() {
        uptimeMs = 600_000;
        watch.look();
        assertFalse(watch.hasEnded());

        uptimeMs = 600_001;
        watch.look();
        assertTrue(watch.hasEnded());
        assertEquals(List.of(), lines);
    }

    private void refuse(final String path, final Map<String, List<String>> headers) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().putAll(headers);
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
    }

    private Stream<URI> servers() {
        return Stream.of(URI.create("http://127.0.0.1:1/"), address());
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }
}
