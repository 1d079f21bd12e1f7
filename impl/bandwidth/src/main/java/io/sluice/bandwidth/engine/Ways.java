// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.Routes;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.AllocatableLink.Role;
import io.sluice.bandwidth.PathShare;
import io.sluice.graph.Multigraph;
import io.sluice.graph.ShortestPathDag;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The links of one snapshot, the access links of its hosts among them, and the ways of flows over them. A flow goes
 * where its packets have been placed, each placed flow having an equal part of it; as long as nothing is placed, by the
 * first of the shortest paths.
 */
final class Ways {
    private final FabricSnapshot snapshot;
    private final Routes routes;
    private final Map<SwitchId, Integer> vertices = new HashMap<>();
    private final Multigraph graph;
    /** The ports that links between switches leave by, by their names. */
    private final Map<String, PortId> sources = new HashMap<>();
    private final List<AllocatableLink> links = new ArrayList<>();
    private final Map<String, Bandwidth> loads = new HashMap<>();
    /** Names of links whose capacity nobody knows. */
    private final Set<String> sizeless = new HashSet<>();
    private final Map<InetAddress, PortId> attachments = new HashMap<>();
    /** Shortest paths to the switches that were asked for. */
    private final Map<SwitchId, ShortestPathDag> towards = new HashMap<>();

    Ways(final FabricSnapshot snapshot, final Routes routes) {
        this.snapshot = snapshot;
        this.routes = routes;
        snapshot.links().forEach(link -> {
            vertices.computeIfAbsent(link.source().switchId(), id -> vertices.size());
            vertices.computeIfAbsent(link.destination().switchId(), id -> vertices.size());
        });
        final var builder = Multigraph.builder(Math.max(1, vertices.size()));
        snapshot.links().forEach(link -> {
            builder.arc(vertex(link.source()), vertex(link.destination()), 1);
            sources.put(link.toString(), link.source());
            add(new AllocatableLink(link.toString(), Role.INTERNAL, link.capacity()), link.load());
        });
        graph = builder.build();
        snapshot.hosts(FlowMatch.UNTAGGED).forEach(host -> host.addresses().forEach(address ->
            attachments.putIfAbsent(address, host.attachment())));
        snapshot.hosts().stream().map(Host::attachment).distinct().sorted().forEach(at -> port(at).ifPresent(port -> {
            add(new AllocatableLink(uplink(at), Role.UPLINK, port.capacity()), port.received());
            add(new AllocatableLink(downlink(at), Role.DOWNLINK, port.capacity()), port.sent());
        }));
    }

    /** All links; their names tell the ports that they join. */
    List<AllocatableLink> links() {
        return links;
    }

    /** What the links carry, by name. */
    Map<String, Bandwidth> loads() {
        return loads;
    }

    /** How {@code packets} pass. */
    Way of(final Packets packets) {
        return unreachable(packets.source()).or(() -> unreachable(packets.destination())).<Way>map(Way.Unknown::new)
            .orElseGet(() -> way(packets, attachments.get(packets.source()), attachments.get(packets.destination())));
    }

    private Way way(final Packets packets, final PortId from, final PortId to) {
        if (from.equals(to)) {
            return new Way.Unknown("both hosts are behind port " + from
                + ", where no switch sees the flow; attach one of them elsewhere, or remove the flow");
        }
        final var inner = from.switchId().equals(to.switchId()) ? List.of(List.<String>of())
            : inner(packets, from.switchId(), to.switchId());
        if (inner.isEmpty()) {
            return new Way.Unknown("no path leads from " + from.switchId() + " to " + to.switchId()
                + "; mend or add a link between them");
        }
        final var weights = new LinkedHashMap<List<String>, Long>();
        final var egresses = new HashMap<PortId, Long>();
        inner.forEach(path -> {
            weights.merge(Stream.of(Stream.of(uplink(from)), path.stream(), Stream.of(downlink(to)))
                .flatMap(part -> part).toList(), 1L, Long::sum);
            egresses.merge(path.isEmpty() ? to : sources.get(path.getFirst()), 1L, Long::sum);
        });
        final var unsized = weights.keySet().stream().flatMap(List::stream).filter(sizeless::contains).findFirst();
        if (unsized.isPresent()) {
            return new Way.Unknown("the capacity of link " + unsized.orElseThrow()
                + " is not known, for its switch reports no speed of the port; set the port's capacity");
        }
        final var ports = Stream.concat(Stream.of(to), inner.stream().flatMap(List::stream).map(sources::get))
            .collect(Collectors.toSet());
        return new Way.Known(from, egresses, ports, weights.entrySet().stream()
            .map(path -> new PathShare(path.getKey(), path.getValue())).toList());
    }

    /** Names of the links between the switches, path by path. */
    private List<List<String>> inner(final Packets packets, final SwitchId from, final SwitchId to) {
        final var placed = routes.of(packets.match()).stream()
            .filter(path -> path.source().equals(from) && path.destination().equals(to))
            .map(path -> path.links().stream().map(Link::toString).toList())
            .filter(sources.keySet()::containsAll).toList();
        return placed.isEmpty() ? shortest(from, to).stream().toList() : placed;
    }

    private Optional<List<String>> shortest(final SwitchId from, final SwitchId to) {
        return vertices.containsKey(from) && vertices.containsKey(to)
            ? towards.computeIfAbsent(to, target -> ShortestPathDag.towards(graph, vertices.get(target)))
                .path(vertices.get(from)).map(path ->
                    Arrays.stream(path.arcs()).mapToObj(arc -> links.get(arc).name()).toList())
            : Optional.empty();
    }

    /** Why nothing comes from a host or gets there. */
    private Optional<String> unreachable(final InetAddress address) {
        final var at = attachments.get(address);
        final var host = "host with address " + address.getHostAddress();
        if (at == null) {
            return Optional.of("no " + host + " is seen; correct the address, or have the host send something");
        }
        final var port = port(at);
        if (port.filter(Port::up).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(!snapshot.switches().contains(at.switchId())
            ? at.switchId() + " with the " + host + " is not attached; see to its session"
            : "port " + at + " of the " + host + port.map(down -> " is down; see to its cable")
                .orElse(" is gone; have the host send something where it is now"));
    }

    private Optional<Port> port(final PortId id) {
        return Optional.ofNullable(snapshot.ports().get(id));
    }

    private int vertex(final PortId port) {
        return vertices.get(port.switchId());
    }

    private void add(final AllocatableLink link, final Bandwidth load) {
        links.add(link);
        loads.put(link.name(), load);
        if (link.capacity().equals(Bandwidth.ZERO)) {
            sizeless.add(link.name());
        }
    }

    private static String uplink(final PortId port) {
        return "host->" + port;
    }

    private static String downlink(final PortId port) {
        return port + "->host";
    }
}
