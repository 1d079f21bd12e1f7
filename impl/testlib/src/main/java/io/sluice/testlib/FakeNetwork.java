// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Journey.Delivery;
import io.sluice.testlib.Journey.Loss;
import io.sluice.testlib.Journey.Report;
import io.sluice.testlib.Outcome.Drop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Fake switches, wired and populated as a snapshot says. Thread-safe. */
public final class FakeNetwork {
    /** Tables of each switch. */
    public static final int TABLES = 8;
    /** More switches than any sensible path has. */
    private static final int MAX_HOPS = 64;

    private final FabricSnapshot whole;
    private final Map<SwitchId, FakeSwitch> switches = new HashMap<>();
    private final Map<PortId, Link> linkFrom;
    private volatile Map<PortId, List<Host>> hostsAt;
    private final Set<Link> cut = new LinkedHashSet<>();
    private long version;

    /** Builds the network; links that the snapshot lacks can't be restored. */
    public FakeNetwork(final FabricSnapshot whole) {
        this.whole = whole;
        version = whole.version();
        final var ports = whole.ports().keySet().stream().collect(Collectors.groupingBy(PortId::switchId,
            Collectors.mapping(PortId::number, Collectors.toSet())));
        whole.switches().forEach(id ->
            switches.put(id, new FakeSwitch(id, ports.getOrDefault(id, Set.of()), TABLES)));
        linkFrom = whole.links().stream().collect(Collectors.toMap(Link::source, Function.identity()));
        hostsAt = whole.hosts().stream().collect(Collectors.groupingBy(Host::attachment));
    }

    public FakeSwitch at(final SwitchId id) {
        return switches.get(id);
    }

    public Collection<FakeSwitch> switches() {
        return List.copyOf(switches.values());
    }

    /** The network as it is now. */
    public synchronized FabricSnapshot snapshot() {
        final var now = Topologies.without(whole, cut);
        return new FabricSnapshot(version, now.switches(), now.ports(), now.links(), now.hosts());
    }

    /** Takes the carrier from both ends of a cable, both directions. */
    public synchronized void cut(final Link link) {
        setCarrier(link, false);
        cut.add(link);
    }

    /** Gives a cable its carrier back. */
    public synchronized void restore(final Link link) {
        setCarrier(link, true);
        cut.removeIf(other -> other.source().equals(link.source()) || other.source().equals(link.destination()));
    }

    /** Puts other hosts in the place of those that were there; {@link #snapshot} goes on to show those of the start. */
    public synchronized void populate(final Collection<Host> hosts) {
        hostsAt = hosts.stream().collect(Collectors.groupingBy(Host::attachment));
    }

    /** Lets a host send a packet and follows it to its end. */
    public Journey send(final Host from, final Packet packet) {
        return inject(from.attachment(), packet);
    }

    /** Lets a packet come in by a port and follows it to its end. */
    public Journey inject(final PortId ingress, final Packet packet) {
        final var walk = new Walk();
        walk.arrive(ingress, packet, 0);
        return walk.toTheEnd();
    }

    private void setCarrier(final Link link, final boolean up) {
        version++;
        at(link.source().switchId()).setPort(link.source().number(), up);
        at(link.destination().switchId()).setPort(link.destination().number(), up);
    }

    /** All copies of one packet on their way. */
    private final class Walk {
        private record Arrival(PortId port, Packet packet, int hops) { }

        private final ArrayDeque<Arrival> pending = new ArrayDeque<>();
        private final List<Delivery> deliveries = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();
        private final List<Report> toController = new ArrayList<>();
        private final List<Loss> losses = new ArrayList<>();

        void arrive(final PortId port, final Packet packet, final int hops) {
            if (hops == MAX_HOPS) {
                losses.add(new Loss(port.switchId(), Drop.TOO_MANY_HOPS));
            } else {
                pending.add(new Arrival(port, packet, hops));
            }
        }

        Journey toTheEnd() {
            while (!pending.isEmpty()) {
                final var arrival = pending.remove();
                final var here = arrival.port().switchId();
                final var outcome = at(here).process(arrival.port().number(), arrival.packet());
                outcome.drops().forEach(reason -> losses.add(new Loss(here, reason)));
                outcome.toController().forEach(packet -> toController.add(new Report(here, packet)));
                outcome.sent().forEach(sent ->
                    leave(new PortId(here, sent.port()), sent.packet(), arrival.hops() + 1));
            }
            return new Journey(deliveries, links, toController, losses);
        }

        private void leave(final PortId port, final Packet packet, final int hops) {
            final var link = linkFrom.get(port);
            if (link != null) {
                links.add(link);
                arrive(link.destination(), packet, hops);
                return;
            }
            final var takers = hostsAt.getOrDefault(port, List.of()).stream()
                .filter(host -> takes(host, packet)).toList();
            takers.forEach(host -> deliveries.add(new Delivery(host, packet)));
            if (takers.isEmpty()) {
                losses.add(new Loss(port.switchId(), Drop.NOBODY_THERE));
            }
        }

        private static boolean takes(final Host host, final Packet packet) {
            return host.vlan() == packet.vlan() && host.mac().equals(packet.ethernetDestination())
                && packet.connection().stream().allMatch(ip -> host.addresses().contains(ip.destination()));
        }
    }
}
