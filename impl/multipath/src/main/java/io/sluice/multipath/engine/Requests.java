// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.placement.Absent;
import io.sluice.multipath.placement.Candidate;
import io.sluice.multipath.placement.Candidate.Load;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Piece;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What a connection or a transfer asks for, by the configuration: the pieces, and where each can be had. */
final class Requests {
    private final MultipathConfig config;
    private final FlowBook book;
    private final ReportedLoads reportedLoads;

    /** A demand, with the service that it belongs to. */
    record Asked(Demand demand, Optional<Service> service) { }

    /**
     * Which servers and ports will do.
     *
     * @param named whether the client named the server itself, which is not turned away
     */
    private record Sought(Predicate<Server> servers, Predicate<ServerPort> ports, boolean named) { }

    Requests(final MultipathConfig config, final FlowBook book, final ReportedLoads reportedLoads) {
        this.config = config;
        this.book = book;
        this.reportedLoads = reportedLoads;
    }

    /**
     * What the first packet of a connection asks for; a piece without candidates if nobody is there to answer. Services
     * are for untagged clients: a tagged one asks for a host of its VLAN.
     */
    Asked of(final Connection connection, final SwitchId clientEdge, final FabricSnapshot snapshot) {
        if (connection.isTagged()) {
            return plain(connection, clientEdge, snapshot);
        }
        final var virtual = config.services().values().stream().filter(service -> service.isAskedForBy(connection))
            .min(Comparator.comparing((Service service) ->
                !SlotTable.ports(service).contains(connection.destinationPort())).thenComparing(Service::name));
        if (virtual.isPresent()) {
            return asked(connection, clientEdge, virtual.orElseThrow(), snapshot,
                new Sought(server -> true, port -> port.number() == connection.destinationPort(), false));
        }
        for (var service : config.services().values()) {
            final boolean named = service.protocol() == connection.protocol() && service.servers().stream().anyMatch(
                server -> server.address().equals(connection.destination()) && server.ports().stream()
                    .anyMatch(port -> port.number() == connection.destinationPort()));
            if (named) {
                return atItsServer(asked(connection, clientEdge, service, snapshot,
                    new Sought(server -> server.address().equals(connection.destination()),
                        port -> port.number() == connection.destinationPort(), true)));
            }
        }
        return plain(connection, clientEdge, snapshot);
    }

    /**
     * Returns the demand of a transfer; nothing if the service is unknown.
     *
     * @param inPlaceOf name of a transfer whose flows are given back for it and take no room
     */
    Optional<Asked> of(final Transfer transfer, final SwitchId clientEdge, final FabricSnapshot snapshot,
            final Optional<String> inPlaceOf) {
        return Optional.ofNullable(config.services().get(transfer.service())).map(service -> {
            final var pieces = transfer.pieces().stream().map(number -> piece(number, service, snapshot,
                new Sought(server -> !server.address().equals(transfer.client()), port -> port.piece() == number,
                    false), inPlaceOf)).toList();
            return new Asked(new Demand(transfer.client(), clientEdge, pieces, service.pieces(), transfer.bandwidth(),
                service.strategy().orElse(config.strategy()), transfer.hashCode()), Optional.of(service));
        });
    }

    private Asked asked(final Connection connection, final SwitchId clientEdge, final Service service,
            final FabricSnapshot snapshot, final Sought sought) {
        final int number = service.servers().stream().filter(sought.servers()).flatMap(server ->
            server.ports().stream()).filter(sought.ports()).mapToInt(ServerPort::piece).findFirst().orElse(1);
        return new Asked(new Demand(connection.source(), clientEdge,
            List.of(piece(number, service, snapshot, sought, Optional.empty())), service.pieces(),
            Optional.empty(), service.strategy().orElse(config.strategy()), connection.hashCode()),
            Optional.of(service));
    }

    /** A client that names the server itself is not turned away when that is full. */
    private static Asked atItsServer(final Asked asked) {
        final var demand = asked.demand();
        final var pieces = demand.pieces().stream().map(piece -> new Piece(piece.number(), piece.candidates().stream()
            .map(Candidate::unbounded).toList(), piece.absent())).toList();
        return new Asked(new Demand(demand.client(), demand.clientEdge(), pieces, demand.paths(), demand.bandwidth(),
            demand.strategy(), demand.hash()), asked.service());
    }

    private Asked plain(final Connection connection, final SwitchId clientEdge, final FabricSnapshot snapshot) {
        final var name = connection.destination().getHostAddress();
        final var host = snapshot.host(connection.vlan(), connection.destination());
        final var edge = host.map(found -> found.attachment().switchId());
        final var candidates = edge.filter(snapshot.switches()::contains).stream().map(there ->
            new Candidate(name, connection.destination(), connection.destinationPort(), there, Load.NONE,
                Candidate.UNBOUNDED)).toList();
        final var absent = edge.filter(there -> !snapshot.switches().contains(there)).stream()
            .<Absent>map(there -> new Absent.Away(name, there)).toList();
        return new Asked(new Demand(connection.source(), clientEdge, List.of(new Piece(1, candidates, absent)), 1,
            Optional.empty(), config.strategy(), connection.hashCode()), Optional.empty());
    }

    /**
     * A piece, and where it can be had: of a server whose host was seen, behind a switch that is there. Requests of
     * {@code except}, a transfer that is asked for anew, take no room.
     */
    private Piece piece(final int number, final Service service, final FabricSnapshot snapshot, final Sought sought,
            final Optional<String> except) {
        final var edges = snapshot.places();
        final var candidates = new ArrayList<Candidate>();
        final var absent = new ArrayList<Absent>();
        for (var server : service.servers()) {
            final var ports = server.ports().stream().filter(sought.ports()).toList();
            final var edge = edges.get(server.address());
            if (ports.isEmpty() || !sought.servers().test(server)) {
                continue;
            }
            if (edge == null) {
                absent.add(new Absent.Unseen(server.name()));
            } else if (!snapshot.switches().contains(edge)) {
                absent.add(new Absent.Away(server.name(), edge));
            } else if (server.weight() == 0 && !sought.named()) {
                absent.add(new Absent.Drained(server.name()));
            } else {
                final int requests = book.requests(service.name(), server.name(), except);
                final var load = new Load((double) requests / server.maxLoad(),
                    reportedLoads.of(service.name(), server.name()).orElse(0.0));
                ports.forEach(port -> candidates.add(new Candidate(server.name(), server.address(), port.number(),
                    edge, load, Math.max(0, server.maxLoad() - requests))));
            }
        }
        return new Piece(number, candidates, absent);
    }
}
