// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.FlowMatch;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Hosts by what was heard of them at edge ports. A port may have several hosts, a host several addresses. An address
 * belongs to one Ethernet address, and goes to another one that uses it only if its owner does not answer any more
 * ({@link OwnershipChecks}). A host moves likewise. A host at a port that is no edge port now can't be asked, and loses
 * at once.
 * <pre>
 *   (unknown) --seen at an edge port, or restored--&gt; known --its port leads to a switch----------&gt; (unknown)
 *                                                    |   ^ --its port not up for ABSENCE_NS-----&gt; (unknown)
 *                                                    +---+
 *                            seen at another edge port, and no answer from its own: moves
 * </pre>
 * A host outlives its port for a while because ports also go down with a switch that restarts, or that loses its
 * controller: its entries stay declared, so that traffic goes on as soon as the switch is back, before any host has
 * spoken.
 *
 * <p>A table is of the untagged hosts or of those of one VLAN. All times are of one monotonic clock, in nanoseconds.
 * Not thread-safe: one call at a time.
 */
public final class HostTable {
    /** Hosts that are kept, of all VLANs together; further ones are refused. */
    public static final int MAX_HOSTS = 65_536;
    /** Addresses of one host; a new one takes the place of one that is idle for {@link #ADDRESS_IDLE_NS}, if any is. */
    public static final int MAX_ADDRESSES = 64;
    /** After a move of a host without addresses, the time in which another one is taken for a loop and ignored. */
    public static final long FLAP_NS = 1_000_000_000L;
    /** How long a host is kept whose port is not up. */
    public static final long ABSENCE_NS = 300_000_000_000L;
    /** When an address may make room for another one of its host. */
    public static final long ADDRESS_IDLE_NS = 600_000_000_000L;

    /** A disallowed address is reported once in so long, */
    private static final long WARNING_NS = 1_000_000_000L;
    /** and so many of them in that time. */
    private static final int WARNINGS = 64;

    private final int vlan;
    private final Map<MacAddress, Attachment> attachments = new LinkedHashMap<>();
    private final Map<InetAddress, Attachment> users = new HashMap<>();
    private final Map<PortId, Long> absentSinceNs = new HashMap<>();
    private final OwnershipChecks checks;
    /** How many hosts are known in all VLANs. */
    private final IntSupplier allHosts;
    /** Addresses that changed hands while their owner could not be asked, and when. */
    private final Map<InetAddress, Long> unaskedNs = new LinkedHashMap<>();
    private long full;
    private long addressesFull;
    private long flapping;
    private long unasked;
    private long contested;
    private long disallowed;
    private final Pace warnings = new Pace(WARNING_NS, WARNINGS);

    /**
     * Sightings that changed nothing since the start.
     *
     * @param full new hosts beyond {@link #MAX_HOSTS}
     * @param addressesFull new addresses beyond {@link #MAX_ADDRESSES}
     * @param flapping moves of hosts without addresses within {@link #FLAP_NS} of the move before
     * @param unasked DHCPv4 ACKs that give a host what it has not just asked for
     * @param contested claims that an owner withstood by its answer
     * @param disallowed uses of addresses that a port does not allow
     * @param unchecked claims to addresses beyond {@link OwnershipChecks#MAX_CHECKS}
     */
    public record Refusals(long full, long addressesFull, long flapping, long unasked, long contested,
            long disallowed, long unchecked) {
        /** The sum of those of two tables. */
        Refusals plus(final Refusals other) {
            return new Refusals(full + other.full, addressesFull + other.addressesFull, flapping + other.flapping,
                unasked + other.unasked, contested + other.contested, disallowed + other.disallowed,
                unchecked + other.unchecked);
        }
    }

    /** Begins without hosts, which are untagged; there is no other table. */
    public HostTable() {
        vlan = FlowMatch.UNTAGGED;
        checks = new OwnershipChecks();
        allHosts = attachments::size;
    }

    /**
     * Begins without hosts.
     *
     * @param vlan that they are of
     * @param allHosts how many hosts this and the other tables have
     */
    HostTable(final int vlan, final OwnershipChecks checks, final IntSupplier allHosts) {
        this.vlan = vlan;
        this.checks = checks;
        this.allHosts = allHosts;
    }

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
        } else if (known.port().equals(sighting.port()) || moves(known, sighting.port(), edge, nowNs, changes)) {
            learn(known, sighting, edge, nowNs, changes);
        }
        return changes;
    }

    /** Gives the claimant what it claimed, if it is still where it was heard. */
    List<HostChange> grant(final AddressClaim claim, final Edge edge, final long nowNs) {
        final var changes = new ArrayList<HostChange>();
        final var claimant = attachments.get(claim.mac());
        if (claimant == null || !edge.ports().contains(claim.port())) {
            return changes;
        }
        if (claim.moves()) {
            move(claimant, claim.port(), nowNs, changes);
        } else if (claimant.port().equals(claim.port()) && users.get(claim.address()) != claimant) {
            gain(claimant, claim.address(), nowNs, changes);
        }
        return changes;
    }

    /** Returns the owner of what is claimed, if that is another station than the claimant, or at another port. */
    Optional<Host> owner(final AddressClaim claim) {
        final var owner = claim.moves() ? attachments.get(claim.mac()) : users.get(claim.address());
        return Optional.ofNullable(owner).map(Attachment::host).filter(host ->
            claim.moves() ? !host.attachment().equals(claim.port()) : !host.mac().equals(claim.mac()));
    }

    /** Returns the addresses that changed hands within the last {@link #ABSENCE_NS} without a question. */
    Set<InetAddress> unasked(final long nowNs) {
        unaskedNs.values().removeIf(sinceNs -> nowNs - sinceNs >= ABSENCE_NS);
        return new LinkedHashSet<>(unaskedNs.keySet());
    }

    /** Takes over hosts that were known before a restart; what has been seen since then counts more. */
    public void restore(final Collection<Host> hosts, final long nowNs) {
        for (var host : hosts) {
            if (attachments.containsKey(host.mac()) || !Sighting.isHostMac(host.mac())) {
                continue;
            }
            if (allHosts.getAsInt() >= MAX_HOSTS) {
                full++;
                continue;
            }
            final var attachment = new Attachment(vlan, host.mac(), host.attachment());
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
     * Forgets hosts on ports where none may be, and hosts whose port has not been up for {@link #ABSENCE_NS}. To be
     * called after each change of topology, and about once a minute.
     *
     * @param up all ports that are up
     * @param closed ports that lead to a switch, up or not, and those that do not list the VLAN
     */
    public List<HostChange> settle(final Set<PortId> up, final Set<PortId> closed, final long nowNs) {
        final var absent = new HashMap<PortId, Long>();
        final var gone = new ArrayList<MacAddress>();
        attachments.forEach((mac, attachment) -> {
            final var port = attachment.port();
            if (!up.contains(port)) {
                absent.put(port, absentSinceNs.getOrDefault(port, nowNs));
            }
            if (closed.contains(port) || nowNs - absent.getOrDefault(port, nowNs) >= ABSENCE_NS) {
                gone.add(mac);
            }
        });
        absentSinceNs.clear();
        absentSinceNs.putAll(absent);
        return gone.stream().map(mac -> forget(mac, nowNs)).toList();
    }

    /** Forgets the hosts of a switch that is forgotten. */
    public List<HostChange> forget(final SwitchId switchId, final long nowNs) {
        return attachments.entrySet().stream().filter(entry -> entry.getValue().port().switchId().equals(switchId))
            .map(Map.Entry::getKey).toList().stream().map(mac -> forget(mac, nowNs)).toList();
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

    int size() {
        return attachments.size();
    }

    /** All hosts, in the order in which they appeared. */
    public List<Host> hosts() {
        return attachments.values().stream().map(Attachment::host).toList();
    }

    public Refusals refusals() {
        return new Refusals(full, addressesFull, flapping, unasked, contested, disallowed,
            checks.refused());
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
                    learn(client, new Sighting(dhcp.client(), Optional.of(lease.address()), client.port(), false),
                        edge, nowNs, changes);
                } else {
                    unasked++;
                }
            });
        } else if (client.port().equals(port) && dhcp.ethernet().source().equals(dhcp.client())) {
            client.ask(dhcp.lease());
        }
    }

    private void appear(final Sighting sighting, final Edge edge, final long nowNs, final List<HostChange> changes) {
        if (allHosts.getAsInt() >= MAX_HOSTS) {
            full++;
            return;
        }
        final var attachment = new Attachment(vlan, sighting.mac(), sighting.port());
        attachments.put(sighting.mac(), attachment);
        learn(attachment, sighting, edge, nowNs, changes);
        changes.removeIf(HostChange.AddressAdded.class::isInstance);
        changes.add(new HostChange.Appeared(attachment.host()));
    }

    /** True if the host has moved; false if that is checked first, or if it moved just now. */
    private boolean moves(final Attachment attachment, final PortId to, final Edge edge, final long nowNs,
            final List<HostChange> changes) {
        final boolean askable = edge.ports().contains(attachment.port());
        final var address = attachment.latestAddress();
        if (askable && address.isPresent()) {
            checks.claim(new AddressClaim(attachment.mac(), address.orElseThrow(), to, true), attachment.host(), nowNs);
            return false;
        }
        if (askable && attachment.movedWithin(FLAP_NS, nowNs)) {
            flapping++;
            return false;
        }
        attachment.addresses().forEach(taken -> unaskedNs.put(taken, nowNs));
        move(attachment, to, nowNs, changes);
        return true;
    }

    private void move(final Attachment attachment, final PortId to, final long nowNs,
            final List<HostChange> changes) {
        final var from = attachment.port();
        attachment.move(to, nowNs);
        checks.cancel(attachment.mac(), nowNs);
        attachment.addresses().forEach(address -> checks.cancel(address, nowNs));
        changes.add(new HostChange.Moved(attachment.host(), from));
    }

    private void learn(final Attachment attachment, final Sighting sighting, final Edge edge, final long nowNs,
            final List<HostChange> changes) {
        final var fit = sighting.address().filter(used -> Sighting.isHostAddress(used) && !edge.owns(used));
        if (fit.isEmpty()) {
            return;
        }
        final var address = fit.orElseThrow();
        if (!edge.allows(attachment.port(), address)) {
            disallowed++;
            if (warnings.permits(address, nowNs)) {
                changes.add(new HostChange.Disallowed(attachment.host(), address));
            }
            return;
        }
        final var owner = users.get(address);
        if (owner == attachment) {
            attachment.use(address, nowNs);
            if (sighting.solicited()) {
                withstand(attachment, address, nowNs, changes);
            }
        } else if (owner == null) {
            gain(attachment, address, nowNs, changes);
        } else if (edge.ports().contains(owner.port())) {
            checks.claim(new AddressClaim(attachment.mac(), address, attachment.port(), false), owner.host(), nowNs);
        } else {
            unaskedNs.put(address, nowNs);
            gain(attachment, address, nowNs, changes);
        }
    }

    /** A host that answers for an address keeps it. What it says unasked decides nothing: it may be late, or a lie. */
    private void withstand(final Attachment attachment, final InetAddress address, final long nowNs,
            final List<HostChange> changes) {
        checks.heard(attachment.mac(), address, attachment.port(), nowNs).forEach(claim -> {
            contested++;
            changes.add(new HostChange.Contested(attachment.host(), address, claim.mac(), claim.port()));
        });
    }

    private void gain(final Attachment attachment, final InetAddress address, final long nowNs,
            final List<HostChange> changes) {
        if (hasRoom(attachment, nowNs, changes)) {
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
        idle.ifPresent(address -> lose(attachment, address, nowNs, changes));
        return idle.isPresent();
    }

    /** Makes {@code attachment} the user of {@code address}, in place of another one. */
    private void take(final Attachment attachment, final InetAddress address, final long nowNs,
            final List<HostChange> changes) {
        final var before = users.get(address);
        if (before != null) {
            lose(before, address, nowNs, changes);
        }
        users.put(address, attachment);
        attachment.use(address, nowNs);
    }

    private void lose(final Attachment attachment, final InetAddress address, final long nowNs,
            final List<HostChange> changes) {
        users.remove(address);
        checks.cancel(address, nowNs);
        attachment.lose(address);
        changes.add(new HostChange.AddressLost(attachment.host(), address));
    }

    private HostChange forget(final MacAddress mac, final long nowNs) {
        final var attachment = attachments.remove(mac);
        checks.cancel(mac, nowNs);
        attachment.addresses().forEach(address -> {
            users.remove(address);
            checks.cancel(address, nowNs);
        });
        return new HostChange.Forgotten(attachment.host());
    }
}
