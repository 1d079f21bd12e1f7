// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import java.net.InetAddress;

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
        return new FlowMatch(Endpoint.ip(connection.local().address()), connection.local().port(),
            Endpoint.ip(connection.remote().address()), connection.remote().port());
    }
}
