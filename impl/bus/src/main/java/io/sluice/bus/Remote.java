// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.nio.charset.StandardCharsets;
import org.zeromq.ZMQ;

/**
 * A proxy to connect to.
 *
 * @param address {@code tcp://host:port}; a name that is not known yet is looked up again
 * @param publicKey its key, in Z85
 */
public record Remote(String address, String publicKey) {
    private static final int RECONNECT_MS = 100;
    private static final int RECONNECT_MAX_MS = 2000;
    private static final int HANDSHAKE_MS = 5000;

    public Remote {
        if (!address.matches("tcp://[^/\\s]+:[0-9]{1,5}")) {
            throw new IllegalArgumentException("not tcp://host:port: " + address);
        }
        if (!CurveKeys.isKey(publicKey)) {
            throw new IllegalArgumentException("not a key in Z85: " + publicKey);
        }
    }

    /** Connects a socket to it. */
    void connect(final ZMQ.Socket socket, final CurveKeys keys, final int queue) {
        keys.identify(socket);
        socket.setCurveServerKey(publicKey.getBytes(StandardCharsets.US_ASCII));
        socket.setSndHWM(queue);
        socket.setRcvHWM(queue);
        socket.setReconnectIVL(RECONNECT_MS);
        socket.setReconnectIVLMax(RECONNECT_MAX_MS);
        socket.setHandshakeIvl(HANDSHAKE_MS);
        socket.setMaxMsgSize(FrameCodec.FRAME_LIMIT);
        socket.connect(address);
    }
}
