// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.packet.Packet;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Hosts by what was heard of them at edge ports. A port may have several hosts, a host several addresses; an address
 * belongs to the host that used it last.
 * <pre>
 *   (unknown) --seen at an edge port, or restored--&gt; known --its port leads to a switch----------&gt; (unknown)
 *                                                    |   ^ --its port not up for ABSENCE_NS-----&gt; (unknown)
 *                                                    +---+
 *                                  seen at another edge port: moves, at most once in FLAP_NS
 * </pre>
 * A host outlives its port for a while because ports also go down with a switch that restarts, or that loses its
 * controller: its entries stay declared, so that traffic goes on as soon as the switch is back, before any host has
 * spoken.
 *
 * <p>All times are of one monotonic clock, in nanoseconds. Not thread-safe: one call at a time.
 */
public final class HostTable {
    /** Hosts that are kept; further ones are refused. */
    public static final int MAX_HOSTS = 65_536;
    /** Addresses of one host; a new one takes the place of one that is idle for {@link #ADDRESS_IDLE_NS}, if any is. */
    public static final int MAX_ADDRESSES = 64;
    /** After a move, the time in which another one is taken for a loop or a duplicate and ignored. */
    public static final long FLAP_NS = 1_000_000_000L;
    /** How long a host is kept whose port is not up. */
    public static final long ABSENCE_NS = 300_000_000_000L;
    /** When an address may make room for another one of its host. */
    public static final long ADDRESS_IDLE_NS = 600_000_000_000L;

    private final Map<MacAddress, Attachment> attachments = new LinkedHashMap<>();
    private final Map<InetAddress, Attachment> users = new HashMap<>();
    private final Map<PortId, Long> absentSinceNs = new HashMap<>();
    private long full;
    private long addressesFull;
    private long flapping;
    private long unasked;

    /**
     * Sightings that changed nothing since the start.
     *
     * @param full new hosts beyond {@link #MAX_HOSTS}
     * @param addressesFull new addresses beyond {@link #MAX_ADDRESSES}
     * @param flapping moves within {@link #FLAP_NS} of the move before
     * @param unasked DHCPv4 ACKs that give a host what it has not just asked for
     */
    public record Refusals(long full, long addressesFull, long flapping, long unasked) { }

    /** Learns what a packet tells: about its sender, and from a DHCPv4 ACK about the client that asked for it. */
    public List<HostChange> see(final PacketIn in, final Edge edge, final long nowNs) {
        final var changes = new ArrayList<HostChange>();
        Sighting.of(in).ifPresent(sighting -> changes.addAll(see(sighting, edge, nowNs)));
        if (in.packet() instanceof Packet.Dhcp dhcp && edge.ports().contains(in.port())) {
            lease(dhcp, in.port(), edge, nowNs, changes);
        }
        return changes;
    }

    /** Learns from one sighting; those at other than edge ports, and of other than hosts, tell nothing. */
    public List<HostChange> see(final Sighting sighting, final Edge edge, final long nowNs) {
        if (!edge.ports().contains(sighting.port()) || !Sighting.isHostMac(sighting.mac())) {
            return List.of();
        }
        final var changes = new ArrayList<HostChange>();
        final var known = attachments.get(sighting.mac());
        if (known == null) {
            appear(sighting, edge, nowNs, changes);
        } else if (known.port().equals(sighting.port()) || move(known, sighting.port(), nowNs, changes)) {
            sighting.address().ifPresent(address -> learn(known, address, edge, nowNs, changes));
        }
        return changes;
    }

    /** Takes over hosts that were known before a restart; what has been seen since then counts more. */
    public void restore(final Collection<Host> hosts, final long nowNs) {
        for (var host : hosts) {
            if (attachments.containsKey(host.mac()) || !Sighting.isHostMac(host.mac())) {
                continue;
            }
            if (attachments.size() == MAX_HOSTS) {
                full++;
                continue;
            }
            final var attachment = new Attachment(host.mac(), host.attachment());
            attachments.put(host.mac(), attachment);
            for (var address : host.addresses()) {
                if (Sighting.isHostAddress(address) && attachment.addressCount() < MAX_ADDRESSES
                        && users.putIfAbsent(address, attachment) == null) {
                    attachment.use(address, nowNs);
                }
            }
        }
    }

    /**
     * Forgets hosts on ports that lead to a switch, and hosts whose port has not been up for {@link #ABSENCE_NS}. To be
     * called after each change of topology, and about once a minute.
     *
     * @param up all ports that are up
     * @param inner ports that lead to a switch, up or not
     */
    public List<HostChange> settle(final Set<PortId> up, final Set<PortId> inner, final long nowNs) {
        final var absent = new HashMap<PortId, Long>();
        final var gone = new ArrayList<MacAddress>();
        attachments.forEach((mac, attachment) -> {
            final var port = attachment.port();
            if (!up.contains(port)) {
                absent.put(port, absentSinceNs.getOrDefault(port, nowNs));
            }
            if (inner.contains(port) || nowNs - absent.getOrDefault(port, nowNs) >= ABSENCE_NS) {
                gone.add(mac);
            }
        });
        absentSinceNs.clear();
        absentSinceNs.putAll(absent);
        return gone.stream().map(this::forget).toList();
    }

    /** Forgets the hosts of a switch that is forgotten. */
    public List<HostChange> forget(final SwitchId switchId) {
        return attachments.entrySet().stream().filter(entry -> entry.getValue().port().switchId().equals(switchId))
            .map(Map.Entry::getKey).toList().stream().map(this::forget).toList();
    }

    /** Hosts whose port was not up when {@link #settle} was called last; they may be at another one by now. */
    public List<Host> missed() {
        return attachments.values().stream().filter(attachment -> absentSinceNs.containsKey(attachment.port()))
            .map(Attachment::host).toList();
    }

    public Optional<Host> host(final MacAddress mac) {
        return Optional.ofNullable(attachments.get(mac)).map(Attachment::host);
    }

    /** Returns the host that used {@code address} last. */
    public Optional<Host> host(final InetAddress address) {
        return Optional.ofNullable(users.get(address)).map(Attachment::host);
    }

    /** All hosts, in the order in which they appeared. */
    public List<Host> hosts() {
        return attachments.values().stream().map(Attachment::host).toList();
    }

    public Refusals refusals() {
        return new Refusals(full, addressesFull, flapping, unasked);
    }

    /**
     * A client is believed about itself, a server is not: what gives a host an address is its own request, of which the
     * answer only says that it was granted. So a forged answer gives nobody what he would not take himself.
     */
    private void lease(final Packet.Dhcp dhcp, final PortId port, final Edge edge, final long nowNs,
            final List<HostChange> changes) {
        final var client = attachments.get(dhcp.client());
        if (client == null) {
            return;
        }
        if (!dhcp.toServer()) {
            dhcp.lease().ifPresent(lease -> {
                if (client.isGranted(lease)) {
                    learn(client, lease.address(), edge, nowNs, changes);
                } else {
                    unasked++;
                }
            });
        } else if (client.port().equals(port) && dhcp.ethernet().source().equals(dhcp.client())) {
            client.ask(dhcp.lease());
        }
    }

    private void appear(final Sighting sighting, final Edge edge, final long nowNs, final List<HostChange> changes) {
        if (attachments.size() == MAX_HOSTS) {
            full++;
            return;
        }
        final var attachment = new Attachment(sighting.mac(), sighting.port());
        attachments.put(sighting.mac(), attachment);
        sighting.address().filter(address -> isFit(address, edge))
            .ifPresent(address -> take(attachment, address, nowNs, changes));
        changes.add(new HostChange.Appeared(attachment.host()));
    }

    /** False if the host moved just now. */
    private boolean move(final Attachment attachment, final PortId to, final long nowNs,
            final List<HostChange> changes) {
        if (attachment.movedWithin(FLAP_NS, nowNs)) {
            flapping++;
            return false;
        }
        final var from = attachment.port();
        attachment.move(to, nowNs);
        changes.add(new HostChange.Moved(attachment.host(), from));
        return true;
    }

    private void learn(final Attachment attachment, final InetAddress address, final Edge edge, final long nowNs,
            final List<HostChange> changes) {
        if (!isFit(address, edge)) {
            return;
        }
        if (users.get(address) == attachment) {
            attachment.use(address, nowNs);
        } else if (hasRoom(attachment, nowNs, changes)) {
            take(attachment, address, nowNs, changes);
            changes.add(new HostChange.AddressAdded(attachment.host(), address));
        } else {
            addressesFull++;
        }
    }

    private boolean hasRoom(final Attachment attachment, final long nowNs, final List<HostChange> changes) {
        if (attachment.addressCount() < MAX_ADDRESSES) {
            return true;
        }
        final var idle = attachment.idleAddress(ADDRESS_IDLE_NS, nowNs);
        idle.ifPresent(address -> lose(attachment, address, changes));
        return idle.isPresent();
    }

    /** Makes {@code attachment} the user of {@code address}, in place of another one. */
    private void take(final Attachment attachment, final InetAddress address, final long nowNs,
            final List<HostChange> changes) {
        final var before = users.get(address);
        if (before != null) {
            lose(before, address, changes);
        }
        users.put(address, attachment);
        attachment.use(address, nowNs);
    }

    private void lose(final Attachment attachment, final InetAddress address, final List<HostChange> changes) {
        users.remove(address);
        attachment.lose(address);
        changes.add(new HostChange.AddressLost(attachment.host(), address));
    }

    private HostChange forget(final MacAddress mac) {
        final var attachment = attachments.remove(mac);
        attachment.addresses().forEach(users::remove);
        return new HostChange.Forgotten(attachment.host());
    }

    private static boolean isFit(final InetAddress address, final Edge edge) {
        return Sighting.isHostAddress(address) && !edge.owns(address);
    }
}
