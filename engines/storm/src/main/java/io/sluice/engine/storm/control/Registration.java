// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import java.net.InetAddress;

/**
 * What the controller is told of a flow: the four fields of its TCP connection, which a switch can tell it by, and
 * where in the application it ends.
 *
 * @param source address of the sender
 * @param sourcePort port of the sender
 * @param destination address of the receiver
 * @param destinationPort port of the receiver
 * @param stage number of components before the receiver's
 */
record Registration(InetAddress source, int sourcePort, InetAddress destination, int destinationPort, int stage) {
    /** Of a connection as its sender sees it. */
    static Registration of(final Connection connection, final int stage) {
        return new Registration(Endpoint.ip(connection.local().address()), connection.local().port(),
            Endpoint.ip(connection.remote().address()), connection.remote().port(), stage);
    }
}
