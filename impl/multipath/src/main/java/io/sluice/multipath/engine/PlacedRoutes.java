// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import io.sluice.api.Path;
import io.sluice.api.Routes;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where packets of the flows go that were placed at one moment, both ways. Thread-safe; costs little until asked. */
public final class PlacedRoutes implements Routes {
    private final List<FlowState> flows;
    private Map<Ends, List<Route>> routes;

    /** Who sends and who receives, if that is one host each; {@link #OTHERS} if not. */
    private record Ends(Optional<MaskedIp> source, Optional<MaskedIp> destination) {
        private static final Ends OTHERS = new Ends(Optional.empty(), Optional.empty());

        private static Ends of(final FlowMatch match) {
            return match.source().filter(MaskedIp::isHost).isPresent()
                && match.destination().filter(MaskedIp::isHost).isPresent()
                ? new Ends(match.source(), match.destination()) : OTHERS;
        }
    }

    /** Packets that a switch sends along a path. */
    private record Route(FlowMatch match, Path path) {
        /** True if there are packets that both take. */
        private boolean meets(final FlowMatch asked) {
            return match.vlan().equals(asked.vlan()) && meet(match.ipProtocol(), asked.ipProtocol())
                && meet(match.l4Source(), asked.l4Source())
                && meet(match.l4Destination(), asked.l4Destination()) && meet(match.source(), asked.source())
                && meet(match.destination(), asked.destination());
        }

        private static boolean meet(final OptionalInt one, final OptionalInt other) {
            return one.isEmpty() || other.isEmpty() || one.equals(other);
        }

        private static boolean meet(final Optional<MaskedIp> one, final Optional<MaskedIp> other) {
            return one.isEmpty() || other.isEmpty() || one.orElseThrow().contains(other.orElseThrow().address())
                || other.orElseThrow().contains(one.orElseThrow().address());
        }
    }

    public PlacedRoutes(final Collection<FlowState> flows) {
        this.flows = List.copyOf(flows);
    }

    @Override
    public List<Path> of(final FlowMatch match) {
        final var ends = Ends.of(match);
        final var candidates = ends.equals(Ends.OTHERS) ? routes().values().stream()
            : Stream.of(ends, Ends.OTHERS).map(of -> routes().getOrDefault(of, List.of()));
        return candidates.flatMap(List::stream).filter(route -> route.meets(match)).map(Route::path).toList();
    }

    private synchronized Map<Ends, List<Route>> routes() {
        if (routes == null) {
            routes = flows.stream().flatMap(PlacedRoutes::routes)
                .collect(Collectors.groupingBy(route -> Ends.of(route.match())));
        }
        return routes;
    }

    private static Stream<Route> routes(final FlowState flow) {
        final var record = flow.record();
        return Stream.concat(Stream.of(new Route(record.key().forward(), flow.forward())),
            record.replyTo().stream().map(clients ->
                new Route(record.key().backward(record.server(), clients), flow.backward())));
    }
}
