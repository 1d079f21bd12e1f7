// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * One end of a TCP connection.
 *
 * @param address IP address in Java's words
 * @param port 0..65535
 */
public record Endpoint(String address, int port) {
    private static final int PORTS = 65_536;
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    /** What has a colon, and begins with one or with a digit, is never looked up by Java. */
    private static final String IP = BYTE + "(\\." + BYTE + "){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]*";

    public Endpoint {
        if (address.isEmpty() || port < 0 || port >= PORTS) {
            throw new IllegalArgumentException("no end of a connection: " + address + " port " + port);
        }
    }

    /** The end at a resolved socket address. */
    public static Endpoint of(final InetSocketAddress socket) {
        final String address = socket.getAddress().getHostAddress();
        final int zone = address.indexOf('%');
        return new Endpoint(zone < 0 ? address : address.substring(0, zone), socket.getPort());
    }

    /**
     * Reads what {@link #toString} writes of an end with an IP address.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Endpoint parse(final String text) {
        final int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("no port in '" + text + "'");
        }
        final String address = text.substring(0, colon);
        ip(address);
        return new Endpoint(address, Integer.parseInt(text.substring(colon + 1)));
    }

    /**
     * An IP address that is written out; names are never looked up.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static InetAddress ip(final String text) {
        if (!text.matches(IP)) {
            throw new IllegalArgumentException("no IP address: " + text);
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no IP address: " + text, e);
        }
    }

    @Override
    public String toString() {
        return address + ":" + port;
    }
}
