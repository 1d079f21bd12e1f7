// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import java.net.InetAddress;

/** What became different about a host; {@link #host()} is its state afterwards, or its last one. */
public sealed interface HostChange {
    Host host();

    /** Not known before. */
    record Appeared(Host host) implements HostChange { }

    /** Attached elsewhere now. */
    record Moved(Host host, PortId from) implements HostChange { }

    /** Uses one address more. */
    record AddressAdded(Host host, InetAddress address) implements HostChange { }

    /** Uses one address less: another host has it now, or it was idle and made room for a new one. */
    record AddressLost(Host host, InetAddress address) implements HostChange { }

    /**
     * Kept its address, or its place, which another station claimed.
     *
     * @param address that the station used
     * @param claimant its Ethernet address; the host's own if it claimed that
     * @param at the port where it was heard
     */
    record Contested(Host host, InetAddress address, MacAddress claimant, PortId at) implements HostChange { }

    /** Used an address that its port does not allow. */
    record Disallowed(Host host, InetAddress address) implements HostChange { }

    /** Not known any more. */
    record Forgotten(Host host) implements HostChange { }
}
