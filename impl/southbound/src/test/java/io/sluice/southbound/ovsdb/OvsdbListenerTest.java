// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OvsdbListenerTest {
    private static final String SECURE_BRIDGE = """
        {"id": "ask", "error": null, "result": [{"rows": [
          {"_uuid": ["uuid", "u1"], "datapath_id": "0000000000000001", "fail_mode": "secure"}]}]}
        """;

    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private OvsdbListener listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new OvsdbListener(0, id -> true, (id, mode) -> told.add(id + " " + mode),
            () -> Optional.of(new WantedQueues.Rates(Map.of(), number -> false)), port -> Optional.empty());
    }

    @AfterEach
    void close() {
        listener.close();
    }

    @Test
    void asksADatabaseThatConnectsAndForgetsItWhenItLeaves() throws Exception {
        try (var socket = connect()) {
            final var messages = new JsonReader(new InputStreamReader(socket.getInputStream(),
                StandardCharsets.UTF_8));
            messages.setStrictness(Strictness.LENIENT);
            assertEquals("ask", JsonParser.parseReader(messages).getAsJsonObject().get("id").getAsString());
            write(socket, SECURE_BRIDGE);
            assertEquals("openflow:1 SECURE", told.poll(10, TimeUnit.SECONDS));
        }
        assertEquals("openflow:1 UNKNOWN", told.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void closesAConnectionThatSaysNonsenseOrNeverEnds() throws Exception {
        for (var nonsense : new String[] {"GET / HTTP/1.1\r\n\r\n", "[1]", "\"" + "x".repeat(17 << 20)}) {
            try (var socket = connect()) {
                write(socket, nonsense);
                assertTrue(ends(socket));
            }
        }
    }

    @Test
    void closesItsConnectionsWithItself() throws Exception {
        try (var socket = connect()) {
            assertEquals('{', socket.getInputStream().read());
            listener.close();
            assertTrue(ends(socket));
        }
    }

    @Test
    void letsGoOfADatabaseThatAnswersNothing() throws Exception {
        try (var socket = connect()) {
            assertEquals('{', socket.getInputStream().read());
            write(socket, "{\"id\":\"echo\",\"method\":\"echo\",\"params\":[]}");

            final var looks = listener.settle().toCompletableFuture().get(10, TimeUnit.SECONDS);

            assertEquals(List.of(QueueTalk.Look.NOTHING), looks);
            assertTrue(ends(socket));
        }
    }

    private Socket connect() throws IOException {
        final var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** What was sent too much may come back as a reset, also while it is being sent. */
    private static void write(final Socket socket, final String text) throws IOException {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        } catch (SocketException e) {
            assertTrue(text.length() > 1 << 20, e.getMessage());
        }
    }

    private static boolean ends(final Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketException e) {
            return true;
        }
    }
}
