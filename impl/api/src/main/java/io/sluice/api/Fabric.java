// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.function.Consumer;

/** The network as it is: switches, ports, links, hosts and rates. */
public interface Fabric {
    /** Returns the latest snapshot, at once. */
    FabricSnapshot snapshot();

    /**
     * Calls {@code listener} after each change of topology, hosts or rates, one call at a time and never with an older
     * snapshot than before; several changes may come as one. The listener must not block.
     *
     * @return closes the subscription; no call starts after {@code close()} returns
     */
    Subscription subscribe(Consumer<FabricSnapshot> listener);
}
