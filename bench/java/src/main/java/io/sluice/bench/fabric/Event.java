// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Link;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.List;

/** Something that happens to the network. Times are in nanoseconds. */
sealed interface Event {
    /** An address goes to another station, which announces it {@code announcements} times; 0 is a silent move. */
    record Move(InetAddress address, Station to, int announcements) implements Event { }

    /** An address goes to another station, and back after {@code awayNs}; both announce it. */
    record ThereAndBack(InetAddress address, Station to, long awayNs) implements Event { }

    /** The port of a station loses its carrier for {@code downNs}. */
    record HostFlap(Station station, long downNs) implements Event { }

    /** A cable between switches loses its carrier for {@code downNs}. */
    record CableFlap(Link cable, long downNs) implements Event { }

    /**
     * A switch loses its controller for {@code lengthNs}.
     *
     * @param unseen true if the switch connects again before the inventory sees it go
     * @param moves of addresses in that time
     */
    record Outage(SwitchId switchId, long lengthNs, boolean unseen, List<Later> moves) implements Event {
        public Outage {
            moves = List.copyOf(moves);
        }
    }

    /** A move that begins {@code afterNs} after the outage. */
    record Later(long afterNs, Move move) { }

    /**
     * A station claims an address that it does not have.
     *
     * @param victim has the address
     * @param borrowed true if the liar uses the victim's Ethernet address, too
     */
    record Forgery(Station liar, Station victim, InetAddress address, boolean borrowed) implements Event { }

    /** A service at a virtual address begins, with {@code servers}. */
    record ServiceAdded(String name, InetAddress address, List<Station> servers) implements Event {
        public ServiceAdded {
            servers = List.copyOf(servers);
        }
    }

    /** A service ends. */
    record ServiceRemoved(String name) implements Event { }

    /** A service gets one more server. */
    record ServerAdded(String service, Station server) implements Event { }

    /** A service has a server less. */
    record ServerRemoved(String service, Station server) implements Event { }
}
