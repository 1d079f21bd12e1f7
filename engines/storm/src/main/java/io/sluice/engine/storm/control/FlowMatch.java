// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.Connection;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * What a switch can tell a flow by, as the controller is told: the four fields of its TCP connection.
 *
 * @param source address of the sender
 * @param sourcePort port of the sender
 * @param destination address of the receiver
 * @param destinationPort port of the receiver
 */
record FlowMatch(InetAddress source, int sourcePort, InetAddress destination, int destinationPort) {
    /** Of a connection as its sender sees it. */
    static FlowMatch of(final Connection connection) {
        return new FlowMatch(address(connection.local().address()), connection.local().port(),
            address(connection.remote().address()), connection.remote().port());
    }

    /**
     * An address that is written out; names are never looked up.
     *
     * @throws IllegalArgumentException if it is none
     */
    static InetAddress address(final String text) {
        if (!text.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException("no IP address: " + text);
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no IP address: " + text, e);
        }
    }
}
