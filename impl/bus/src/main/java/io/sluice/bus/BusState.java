// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.List;

/**
 * The bus of a process as an operator sees it.
 *
 * @param publicKey of the proxy
 * @param nodeKey the public key of the process's own node
 * @param proxy the proxy's view
 * @param node the own node's view
 * @param refusedConnections how often a connection with an unknown key was refused
 * @param refusedKeys the latest of those keys
 */
public record BusState(String publicKey, String nodeKey, ProxyState proxy, NodeState node, long refusedConnections,
        List<RefusedKey> refusedKeys) {
    public BusState {
        refusedKeys = List.copyOf(refusedKeys);
    }
}
