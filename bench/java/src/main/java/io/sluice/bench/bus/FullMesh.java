// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A copy for each subscriber over a connection of its own: PUB and SUB of ZeroMQ, with CURVE. */
final class FullMesh implements Scheme {
    private static final int PORT = 5571;
    private static final int HANDSHAKE_MS = 2000;

    private final ZContext context = new ZContext();
    private final int queue;

    /** Has {@code queue} messages wait for each subscriber; more are dropped by PUB. */
    FullMesh(final int queue) {
        this.queue = queue;
    }

    @Override
    public Predicate<String> publisher(final Path folder, final int sites) {
        final var socket = context.createSocket(SocketType.PUB);
        socket.setSndHWM(queue);
        socket.setHandshakeIvl(HANDSHAKE_MS);
        socket.setCurveServer(true);
        socket.setCurveSecretKey(Keys.secret(folder, Scheme.site(0)).getBytes(StandardCharsets.US_ASCII));
        socket.setCurvePublicKey(Keys.of(folder, Scheme.site(0)).publicKey().getBytes(StandardCharsets.US_ASCII));
        socket.bind(Scheme.address(0, PORT));
        return body -> socket.sendMore(Workload.TOPIC) && socket.send(body);
    }

    @Override
    public void subscribe(final Path folder, final int site, final int subscribers, final Sink sink) {
        final var server = Keys.of(folder, Scheme.site(0)).publicKey().getBytes(StandardCharsets.US_ASCII);
        final var sockets = new ZMQ.Socket[subscribers];
        final var poller = context.createPoller(subscribers);
        for (int number = 0; number < subscribers; number++) {
            final var own = ZMQ.Curve.generateKeyPair();
            final var socket = context.createSocket(SocketType.SUB);
            socket.setRcvHWM(queue);
            socket.setHandshakeIvl(HANDSHAKE_MS);
            socket.setCurveServerKey(server);
            socket.setCurvePublicKey(own.publicKey.getBytes(StandardCharsets.US_ASCII));
            socket.setCurveSecretKey(own.secretKey.getBytes(StandardCharsets.US_ASCII));
            socket.subscribe(Workload.TOPIC);
            socket.connect(Scheme.address(0, PORT));
            poller.register(socket, ZMQ.Poller.POLLIN);
            sockets[number] = socket;
        }
        Thread.ofPlatform().daemon().start(() -> receive(sockets, poller, sink));
    }

    private static void receive(final ZMQ.Socket[] sockets, final ZMQ.Poller poller, final Sink sink) {
        while (poller.poll(-1) >= 0) {
            for (int number = 0; number < sockets.length; number++) {
                for (var topic = sockets[number].recvStr(ZMQ.DONTWAIT); topic != null;
                    topic = sockets[number].recvStr(ZMQ.DONTWAIT)) {
                    sink.take(number, sockets[number].hasReceiveMore() ? sockets[number].recvStr() : topic);
                }
            }
        }
    }
}
