// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import io.sluice.api.Path;
import io.sluice.api.Routes;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Where packets of the flows go that were placed at one moment, both ways. Thread-safe; costs little until asked. */
public final class PlacedRoutes implements Routes {
    private final List<FlowState> flows;
    private List<Route> routes;

    /** Packets that a switch sends along a path. */
    private record Route(FlowMatch match, Path path) {
        /** True if there are packets that both take. */
        private boolean meets(final FlowMatch asked) {
            return meet(match.ipProtocol(), asked.ipProtocol()) && meet(match.l4Source(), asked.l4Source())
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
        return routes().stream().filter(route -> route.meets(match)).map(Route::path).toList();
    }

    private synchronized List<Route> routes() {
        if (routes == null) {
            routes = flows.stream().flatMap(PlacedRoutes::routes).toList();
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
