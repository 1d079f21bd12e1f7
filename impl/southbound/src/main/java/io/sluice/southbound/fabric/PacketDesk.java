// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.AddressResolution;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FirstPackets;
import io.sluice.api.Host;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.api.Timer;
import io.sluice.southbound.hosts.Acquaintance;
import io.sluice.southbound.hosts.Edge;
import io.sluice.southbound.hosts.HostChange;
import io.sluice.southbound.hosts.HostTable;
import io.sluice.southbound.hosts.HostWatch;
import io.sluice.southbound.hosts.PacketIn;
import io.sluice.southbound.hosts.PacketOut;
import io.sluice.southbound.hosts.Resolver;
import io.sluice.southbound.hosts.VlanHosts;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.southbound.packet.Readdressing;
import java.net.InetAddress;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of the packets that switches send up: hosts are learned from them, questions answered, first packets
 * handed to whoever finds paths; the rest is dropped and counted. Every packet ends in exactly one {@link Fate}.
 *
 * <p>Subscribing, answering for addresses, releasing, refusing and relaying are thread-safe; all else runs on one loop.
 */
public final class PacketDesk implements FirstPackets, AddressResolution {
    private static final Logger LOG = LoggerFactory.getLogger(PacketDesk.class);

    private final FabricView view;
    private final PacketWire wire;
    private final LongSupplier nowNs;
    private final Timer timer;
    private final VlanHosts hosts = new VlanHosts();
    private final EdgePorts edgePorts = new EdgePorts();
    private final Subscribers<FirstPacket> subscribers = new Subscribers<>();
    private final Subscribers<HostChange> hostSubscribers = new Subscribers<>();
    private final Subscribers<Acquaintance> acquaintances = new Subscribers<>();
    /** Owned addresses, and how many answer for each. */
    private final Map<InetAddress, Integer> owned = new ConcurrentHashMap<>();
    private final Map<Fate, Long> fates = new EnumMap<>(Fate.class);
    private final RefusalAnswers refusals;
    /** Edge ports that were there when hosts were sought last. */
    private Set<PortId> searched = Set.of();
    /** When the next turn of the watch is planned; {@link Long#MAX_VALUE} if none is. */
    private long plannedNs = Long.MAX_VALUE;

    /** How a packet ended. */
    public enum Fate {
        /** ARP, neighbour or router discovery or DHCP: answered or passed on as {@link Resolver} says. */
        RESOLVED,
        /** Handed to the subscribers of first packets. */
        FIRST,
        /** Dropped: came in by a port that is not, or not yet, an edge port. */
        NOT_EDGE,
        /** Dropped: its destination is nobody's; the edge is asked for it. */
        UNKNOWN_DESTINATION,
        /** Dropped: neither IP nor ARP, or to a group. */
        UNWANTED,
        /** Dropped: has a VLAN tag that its port does not list. */
        TAGGED,
        /** Dropped: not what its headers say. */
        MALFORMED
    }

    /**
     * Starts with no hosts.
     *
     * @param nowNs monotonic time
     * @param timer runs tasks on the loop
     */
    public PacketDesk(final FabricView view, final PacketWire wire, final LongSupplier nowNs, final Timer timer) {
        this.view = view;
        this.wire = wire;
        this.nowNs = nowNs;
        this.timer = timer;
        refusals = new RefusalAnswers(wire, nowNs);
    }

    @Override
    public Subscription subscribe(final Consumer<FirstPacket> listener) {
        return subscribers.add(listener);
    }

    @Override
    public void release(final FirstPacket packet) {
        wire.resubmit(packet.ingress(), packet.frame());
    }

    @Override
    public void refuse(final FirstPacket packet) {
        refusals.answer(packet.ingress(), packet.frame());
    }

    @Override
    public boolean opens(final FirstPacket packet) {
        return Frames.opensConnection(packet.frame());
    }

    @Override
    public boolean relay(final FirstPacket packet, final InetAddress source, final InetAddress destination) {
        return view.snapshot().host(destination).flatMap(host ->
            Readdressing.of(packet.frame(), host.mac(), source, destination).map(frame -> {
                wire.send(host.attachment(), frame);
                return true;
            })).orElse(false);
    }

    @Override
    public Subscription answerFor(final InetAddress address) {
        owned.merge(address, 1, Integer::sum);
        return new Subscription() {
            private boolean closed;

            @Override
            public synchronized void close() {
                if (!closed) {
                    closed = true;
                    owned.computeIfPresent(address, (owner, count) -> count == 1 ? null : count - 1);
                }
            }
        };
    }

    /** Calls {@code listener} for each change of a host, on the loop. */
    public Subscription onHostChange(final Consumer<HostChange> listener) {
        return hostSubscribers.add(listener);
    }

    /** Calls {@code listener} for each host that has learned where another one is, on the loop. */
    public Subscription onAcquaintance(final Consumer<Acquaintance> listener) {
        return acquaintances.add(listener);
    }

    /** Takes over hosts known from an earlier run. */
    public void restore(final Collection<Host> remembered) {
        hosts.restore(remembered, nowNs.getAsLong());
        view.hosts(hosts.hosts());
    }

    /** All known hosts. */
    public List<Host> hosts() {
        return hosts.hosts();
    }

    /** What the fabric's own entries follow from, {@code snapshot} included. */
    public FabricProgram.Situation situation(final FabricSnapshot snapshot) {
        return new FabricProgram.Situation(snapshot.switches(), hosts(), Set.copyOf(owned.keySet()),
            edgePorts.silentAt(nowNs.getAsLong()), view.innerPorts(), view.vlans());
    }

    /** Takes the state of the fabric; to be called after each change. */
    public void update(final FabricSnapshot snapshot) {
        final long now = nowNs.getAsLong();
        final var inner = view.innerPorts();
        edgePorts.update(snapshot, inner, now);
        final var up = snapshot.ports().values().stream().filter(Port::up).map(Port::id).collect(Collectors.toSet());
        tell(hosts.settle(up, inner, edge(now), now));
        searched = searched.stream().filter(up::contains).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Verifies what is known when ports have become edge ports, and searches for hosts whose port is not up; to be
     * called about once a second. Hosts of a switch that is away are not searched for: their switch has left, they have
     * not.
     */
    public void seek() {
        final long now = nowNs.getAsLong();
        final var ports = edgePorts.at(now);
        final var fresh = new HashSet<>(ports);
        fresh.removeAll(searched);
        searched = ports;
        final var attached = view.snapshot().switches();
        hosts.search(host -> attached.contains(host.attachment().switchId()), now);
        if (!fresh.isEmpty()) {
            send(hosts.greet(fresh, edge(now), now));
        }
        act(hosts.turn(edge(now), now));
    }

    /** Takes note of a switch that has attached: hosts may have moved while it had no controller. */
    public void attached(final SwitchId switchId) {
        searched = searched.stream().filter(port -> !port.switchId().equals(switchId))
            .collect(Collectors.toUnmodifiableSet());
    }

    /** Forgets the hosts of a switch that is forgotten. */
    public void forget(final SwitchId switchId) {
        tell(hosts.forget(switchId, nowNs.getAsLong()));
    }

    /** Takes a packet that a switch sent up. */
    public void packet(final PortId ingress, final byte[] frame) {
        final var fate = handle(PacketIn.of(ingress, frame));
        fates.merge(fate, 1L, Long::sum);
        LOG.trace("packet ingress={} fate={}", ingress, fate);
    }

    /** How many packets ended how. */
    public Map<Fate, Long> fates() {
        return Map.copyOf(fates);
    }

    /** How many sightings of hosts changed nothing, and why. */
    public HostTable.Refusals ignored() {
        return hosts.refusals();
    }

    /** How many refused packets were answered, and how many not. */
    public Map<RefusalAnswers.Outcome, Long> refusals() {
        return refusals.outcomes();
    }

    private Fate handle(final PacketIn in) {
        final long now = nowNs.getAsLong();
        final var all = edge(now);
        if (!all.ports().contains(in.port())) {
            return Fate.NOT_EDGE;
        }
        final int vlan = in.vlan();
        if (!all.lists(in.port(), vlan)) {
            return Fate.TAGGED;
        }
        final var edge = all.in(vlan);
        final var watch = hosts.of(vlan);
        tell(watch.see(in, edge, now));
        final var fate = handle(in, watch, edge, now);
        act(watch.turn(edge, now));
        return fate;
    }

    private Fate handle(final PacketIn in, final HostWatch watch, final Edge edge, final long now) {
        return switch (in.packet()) {
            case Packet.Malformed malformed -> Fate.MALFORMED;
            case Packet.Other other -> Fate.UNWANTED;
            case Packet.Ip ip -> first(in, ip, watch, edge, now);
            default -> {
                send(watch.resolver().answer(in, edge, now));
                watch.resolver().acquaintances(in.packet(), edge).forEach(acquaintances::tell);
                yield Fate.RESOLVED;
            }
        };
    }

    private Fate first(final PacketIn in, final Packet.Ip ip, final HostWatch watch, final Edge edge,
            final long now) {
        final var destination = ip.connection().destination();
        if (destination.isMulticastAddress() || ip.ethernet().destination().isGroup()) {
            return Fate.UNWANTED;
        }
        if (!edge.owned().contains(destination) && watch.hosts().host(destination).isEmpty()) {
            send(watch.resolver().probe(destination, edge, now));
            return Fate.UNKNOWN_DESTINATION;
        }
        subscribers.tell(new FirstPacket(in.port(), ip.connection().in(in.vlan()), ip.fragment(), in.frame()));
        return Fate.FIRST;
    }

    private Edge edge(final long now) {
        return new Edge(edgePorts.at(now), owned.keySet(), view.allowedAddresses(), view.vlans());
    }

    /** Carries out a turn of hosts' watches, and plans the next one. */
    private void act(final HostWatch.Turn turn) {
        tell(turn.changes());
        send(turn.packets());
        turn.nextNs().ifPresent(this::plan);
    }

    private void plan(final long nextNs) {
        if (nextNs < plannedNs) {
            plannedNs = nextNs;
            timer.after(Math.max(0, nextNs - nowNs.getAsLong()), () -> {
                if (plannedNs == nextNs) {
                    plannedNs = Long.MAX_VALUE;
                    final long now = nowNs.getAsLong();
                    act(hosts.turn(edge(now), now));
                }
            });
        }
    }

    private void send(final List<PacketOut> answers) {
        answers.forEach(out -> wire.send(out.port(), out.frame()));
    }

    private void tell(final List<HostChange> changes) {
        if (!changes.isEmpty()) {
            view.hosts(hosts.hosts());
            changes.forEach(hostSubscribers::tell);
        }
    }
}
