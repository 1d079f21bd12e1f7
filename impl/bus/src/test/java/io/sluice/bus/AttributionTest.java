// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Nobody speaks in another's name: a frame is its key's, whatever else its connection says. */
class AttributionTest {
    private static final String ROUTING_ID = "a routing id";
    private static final int PATIENCE_MS = 3000;

    private final ZContext context = new ZContext();
    private Sites sites;

    @BeforeEach
    void start() {
        sites = new Sites(BusLimits.DEFAULT, "A");
        sites.enrol("A/victim");
        sites.enrol("A/impostor");
        sites.update("A");
    }

    @AfterEach
    void stop() {
        context.close();
        sites.close();
    }

    private ZMQ.Socket dealer(final String node) {
        final var socket = context.createSocket(SocketType.DEALER);
        socket.setLinger(0);
        socket.setReceiveTimeOut(PATIENCE_MS);
        socket.setIdentity(ROUTING_ID.getBytes(StandardCharsets.US_ASCII));
        sites.remote("A").connect(socket, sites.remote("A").address(), sites.keys.get(node), 100);
        return socket;
    }

    private static Frame hello(final String node) {
        return new Frame(Kind.HELLO, node, "", 0, 1, 0);
    }

    private static Frame data(final String node) {
        return new Frame(Kind.DATA, node, "/c1/site_A_forwarders", 1, 1, 1, new byte[] {'1'}, 1);
    }

    /** Sends a frame and returns the kind of the answer, or null. */
    private static Kind ask(final ZMQ.Socket socket, final Frame frame) {
        socket.send(FrameCodec.encode(frame));
        final byte[] answer = socket.recv();
        return answer != null && FrameCodec.decode(answer) instanceof FrameCodec.Decoded.Valid valid
            ? valid.frame().kind() : null;
    }

    /** A router gives a routing id to who claims it, once the connection that had it is gone. */
    private void takeOver() {
        Sites.until(() -> {
            final var impostor = dealer("A/impostor");
            final var answer = ask(impostor, data("A/victim"));
            if (answer == null) {
                context.destroySocket(impostor);
            }
            return answer == Kind.AGAIN;
        });
    }

    @Test
    void whoTakesOverARoutingIdDoesNotTakeOverItsSession() {
        final var victim = dealer("A/victim");
        assertEquals(Kind.WELCOME, ask(victim, hello("A/victim")));
        context.destroySocket(victim);

        takeOver();

        assertEquals(0, sites.state("A").streams());
    }

    @Test
    void aConnectionThatIsGoneEndsItsSessionAtOnce() {
        final var node = dealer("A/victim");
        assertEquals(Kind.WELCOME, ask(node, hello("A/victim")));
        node.send(FrameCodec.encode(new Frame(Kind.SUBSCRIBE, "", "/", 0, 0, 0).counted(1)));
        Sites.until(() -> sites.hasFilter("A", "/"));

        context.destroySocket(node);

        Sites.until(() -> !sites.state("A").links().get("A/victim").up());
        assertEquals(0, sites.state("A").links().get("A/victim").renewals(), "ended by silence");
    }

    /** What a handshake says of the user id stands above what the proxy found, in JeroMQ 0.6.0. */
    @Test
    void aUserIdThatTheHandshakeClaimsCountsForNothing() throws IOException {
        final var pair = ZMQ.Curve.generateKeyPair();
        sites.allow("A/forger", pair.publicKey);
        sites.update("A");
        try (var honest = new ForgingNode(sites.remote("A"), pair, Map.of("Socket-Type", "DEALER"))) {
            honest.send(hello("A/forger"));
            assertEquals(Kind.WELCOME, honest.take().kind());
        }
        final var victim = sites.keys.get("A/victim").publicKey();
        try (var forger = new ForgingNode(sites.remote("A"), pair,
                Map.of("Socket-Type", "DEALER", "User-Id", victim))) {
            forger.send(hello("A/victim"));

            Sites.until(() -> sites.state("A").refusals().get(Refusal.KEY) > 0
                || sites.state("A").links().containsKey("A/victim"));
            assertFalse(sites.state("A").links().containsKey("A/victim"));
        }
    }
}
