// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.Host;
import io.sluice.api.PortId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * Keeps the {@link HostTable} of a VLAN, or of the untagged hosts, true to the network: has claims to addresses
 * checked, verifies after each change of the rim that owners still answer, and searches for those that do not.
 * <pre>
 *   claim ------------------------&gt; OwnershipChecks --no answer--&gt; HostTable.grant
 *   new owner -------------------&gt; OwnershipChecks --no answer--&gt; AddressSearch --&gt; all edge ports
 *   port came up: all addresses -&gt; OwnershipChecks --no answer--&gt; AddressSearch
 *   port went down: its hosts ---------------------------------&gt; AddressSearch
 * </pre>
 * An answer to a search is a claim like any other. {@link #turn} is to be called after each packet and each change of
 * the rim, and when the time comes that it names.
 *
 * <p>All times are of one monotonic clock, in nanoseconds. Not thread-safe.
 */
public final class HostWatch {
    /** Addresses that are verified in one turn, at most, and the distance of the turns: 500 a second. */
    static final int VERIFIED_OF_TURN = 50;
    static final long TURN_NS = 100_000_000L;

    private final OwnershipChecks checks = new OwnershipChecks();
    private final AddressSearch search = new AddressSearch();
    private final HostTable hosts;
    private final Resolver resolver;
    private final Set<InetAddress> unverified = new LinkedHashSet<>();
    private long verifyNs = Long.MIN_VALUE;

    /**
     * What follows from a turn.
     *
     * @param changes of hosts
     * @param packets to send
     * @param nextNs when the next turn is due, if nothing happens before
     */
    public record Turn(List<HostChange> changes, List<PacketOut> packets, OptionalLong nextNs) { }

    /**
     * Begins without hosts.
     *
     * @param vlan that they are of
     * @param allHosts how many hosts this and the other watches know
     */
    HostWatch(final int vlan, final IntSupplier allHosts) {
        hosts = new HostTable(vlan, checks, allHosts);
        resolver = new Resolver(hosts, vlan);
    }

    /** Returns the hosts. */
    public HostTable hosts() {
        return hosts;
    }

    /** Returns what answers the questions of hosts. */
    public Resolver resolver() {
        return resolver;
    }

    /** Takes a packet: what it says of its sender, and whether a station that was searched for has answered. */
    public List<HostChange> see(final PacketIn in, final Edge edge, final long nowNs) {
        final var changes = hosts.see(in, edge, nowNs);
        Sighting.of(in).filter(Sighting::solicited).ifPresent(sighting -> sighting.address()
            .filter(address -> hosts.host(address).filter(owner -> owner.mac().equals(sighting.mac())
                && owner.attachment().equals(in.port())).isPresent())
            .ifPresent(search::end));
        changes.forEach(this::doubt);
        return changes;
    }

    /** Searches for the addresses of {@code missed}, whose ports are not up; to be called about once a second. */
    public void search(final Collection<Host> missed, final long nowNs) {
        search.retain(address -> hosts.host(address).isPresent());
        missed.forEach(host -> host.addresses().forEach(address -> search.begin(address, nowNs)));
    }

    /**
     * Verifies all addresses, those first that are at the same switches as {@code fresh}, which have just become edge
     * ports: what a host says when it is plugged in comes too early to be heard, and what it said while its switch had
     * no controller was not heard at all. Returns questions for {@code fresh} about the addresses that are searched
     * for, and about those that changed hands without a question.
     */
    public List<PacketOut> greet(final Set<PortId> fresh, final long nowNs) {
        final var switches = fresh.stream().map(PortId::switchId).distinct().toList();
        Stream.concat(hosts.hosts().stream().filter(host -> switches.contains(host.attachment().switchId())),
            hosts.hosts().stream()).forEach(host -> unverified.addAll(host.addresses()));
        final var wanted = new LinkedHashSet<>(search.addresses());
        wanted.addAll(hosts.unasked(nowNs));
        return resolver.seek(wanted, fresh, nowNs);
    }

    /** Does what is due: asks, decides claims, begins searches. */
    public Turn turn(final Edge edge, final long nowNs) {
        final var changes = new ArrayList<HostChange>();
        for (var check : checks.expired(nowNs)) {
            check.claim().ifPresentOrElse(claim -> changes.addAll(hosts.grant(claim, edge, nowNs)),
                () -> search.begin(check.address(), nowNs));
        }
        checks.rechecks(nowNs).forEach(claim -> hosts.owner(claim)
            .filter(owner -> edge.ports().contains(owner.attachment())).ifPresentOrElse(
                owner -> checks.recheck(claim, owner, nowNs),
                () -> changes.addAll(hosts.grant(claim, edge, nowNs))));
        changes.forEach(this::doubt);
        verify(edge, nowNs);
        final var packets = new ArrayList<PacketOut>();
        checks.questions(nowNs).forEach(question -> packets.add(
            new PacketOut(question.port(), resolver.question(question.address()))));
        search.due(nowNs).forEach(address -> packets.addAll(resolver.search(address, edge, nowNs)));
        return new Turn(changes, packets, nextNs());
    }

    /** Has a new owner verified: of several that claimed an address, the last one need not be the right one. */
    private void doubt(final HostChange change) {
        switch (change) {
            case HostChange.AddressLost lost -> unverified.add(lost.address());
            case HostChange.Moved moved -> unverified.addAll(moved.host().addresses());
            default -> { }
        }
    }

    /** Begins checks of some addresses; who is at no edge port now can't be asked. */
    private void verify(final Edge edge, final long nowNs) {
        if (unverified.isEmpty() || nowNs < verifyNs) {
            return;
        }
        verifyNs = nowNs + TURN_NS;
        final var some = unverified.stream().limit(VERIFIED_OF_TURN).toList();
        unverified.removeAll(new HashSet<>(some));
        some.forEach(address -> hosts.host(address).filter(owner -> edge.ports().contains(owner.attachment()))
            .ifPresent(owner -> checks.verify(address, owner, nowNs)));
    }

    private OptionalLong nextNs() {
        final var verification = unverified.isEmpty() ? OptionalLong.empty() : OptionalLong.of(verifyNs);
        return Stream.of(checks.nextNs(), search.nextNs(), verification).filter(OptionalLong::isPresent)
            .mapToLong(OptionalLong::getAsLong).min();
    }
}
