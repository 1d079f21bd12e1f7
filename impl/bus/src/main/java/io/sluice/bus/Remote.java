// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.zeromq.ZMQ;

/**
 * A proxy to connect to.
 *
 * @param address {@code tcp://host:port}, the port from 1 to 65535; a name that is not known yet is looked up again
 * @param publicKey its key, in Z85
 */
public record Remote(String address, String publicKey) {
    private static final String SCHEME = "tcp://";
    private static final int PORT_LIMIT = 65_535;
    private static final int RECONNECT_MS = 100;
    private static final int RECONNECT_MAX_MS = 2000;
    /** Three round trips; JeroMQ 0.6.0 leaves about one handshake in ten hanging, and this ends it. */
    private static final int HANDSHAKE_MS = 2000;

    public Remote {
        if (!address.matches(SCHEME + "[^/\\s]+:[0-9]{1,5}")) {
            throw new IllegalArgumentException("not tcp://host:port: " + address);
        }
        final int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        if (port < 1 || port > PORT_LIMIT) {
            throw new IllegalArgumentException("a port is from 1 to " + PORT_LIMIT + ": " + address);
        }
        if (!CurveKeys.isKey(publicKey)) {
            throw new IllegalArgumentException("not a key in Z85: " + publicKey);
        }
    }

    /**
     * Looks the host up, which takes as long as the name servers do.
     *
     * @return {@code tcp://address:port}, or nothing if the name is not known or has no IPv4 address
     */
    Optional<String> lookUp() {
        final int colon = address.lastIndexOf(':');
        try {
            return Arrays.stream(InetAddress.getAllByName(address.substring(SCHEME.length(), colon)))
                .filter(Inet4Address.class::isInstance).findFirst()
                .map(host -> SCHEME + host.getHostAddress() + address.substring(colon));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    /**
     * Connects a socket to it.
     *
     * @param found what {@link #lookUp} returned: JeroMQ would look a name up on the thread of all its connections
     */
    void connect(final ZMQ.Socket socket, final String found, final CurveKeys keys, final int queue) {
        keys.identify(socket);
        socket.setCurveServerKey(publicKey.getBytes(StandardCharsets.US_ASCII));
        socket.setSndHWM(queue);
        socket.setRcvHWM(queue);
        socket.setReconnectIVL(RECONNECT_MS);
        socket.setReconnectIVLMax(RECONNECT_MAX_MS);
        socket.setHandshakeIvl(HANDSHAKE_MS);
        socket.setMaxMsgSize(FrameCodec.FRAME_LIMIT);
        socket.connect(found);
    }
}
