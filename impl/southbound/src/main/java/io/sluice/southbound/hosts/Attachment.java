// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.southbound.packet.Packet.Lease;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A known host: where it is, and its addresses in order of their last sighting. */
final class Attachment {
    private final int vlan;
    private final MacAddress mac;
    private final LinkedHashMap<InetAddress, Long> seenNsByAddress = new LinkedHashMap<>();
    private PortId port;
    private Optional<Long> movedNs = Optional.empty();
    /** What the host asked a DHCP server for, until it was given that or sent another message. */
    private Optional<Lease> asked = Optional.empty();

    Attachment(final int vlan, final MacAddress mac, final PortId port) {
        this.vlan = vlan;
        this.mac = mac;
        this.port = port;
    }

    Host host() {
        return new Host(vlan, mac, seenNsByAddress.keySet(), port);
    }

    MacAddress mac() {
        return mac;
    }

    PortId port() {
        return port;
    }

    boolean movedWithin(final long windowNs, final long nowNs) {
        return movedNs.isPresent() && nowNs - movedNs.orElseThrow() < windowNs;
    }

    void move(final PortId to, final long nowNs) {
        port = to;
        movedNs = Optional.of(nowNs);
    }

    void ask(final Optional<Lease> lease) {
        asked = lease;
    }

    /** True, and then no more, if the host asked for just this {@code lease}. */
    boolean isGranted(final Lease lease) {
        final boolean granted = asked.filter(lease::equals).isPresent();
        if (granted) {
            asked = Optional.empty();
        }
        return granted;
    }

    int addressCount() {
        return seenNsByAddress.size();
    }

    Iterable<InetAddress> addresses() {
        return seenNsByAddress.keySet();
    }

    /** Notes that the host used {@code address}; the latest comes last. */
    void use(final InetAddress address, final long nowNs) {
        seenNsByAddress.remove(address);
        seenNsByAddress.put(address, nowNs);
    }

    void lose(final InetAddress address) {
        seenNsByAddress.remove(address);
    }

    /** Returns the address that was seen last. */
    Optional<InetAddress> latestAddress() {
        return Optional.ofNullable(seenNsByAddress.lastEntry()).map(Map.Entry::getKey);
    }

    /** Returns the address that was not seen for the longest time, if that is at least {@code idleNs}. */
    Optional<InetAddress> idleAddress(final long idleNs, final long nowNs) {
        return seenNsByAddress.entrySet().stream().limit(1)
            .filter(oldest -> nowNs - oldest.getValue() >= idleNs).map(Map.Entry::getKey).findFirst();
    }
}
