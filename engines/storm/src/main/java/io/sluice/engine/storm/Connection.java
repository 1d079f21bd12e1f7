// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

/** A TCP connection, as one of its ends sees it. */
public record Connection(Endpoint local, Endpoint remote) {
    /** The same as the other end sees it. */
    public Connection reversed() {
        return new Connection(remote, local);
    }
}
