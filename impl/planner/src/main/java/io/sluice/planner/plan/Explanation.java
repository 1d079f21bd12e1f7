// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.NamedRoute;
import java.util.List;
import java.util.Optional;

/**
 * Why a chain is where it is.
 *
 * @param routes those that carry something
 * @param binding the full resources on them
 * @param runnerUp the best route over a deployment or end that the chain does not use
 */
public record Explanation(List<Route> routes, List<Binding> binding, Optional<RunnerUp> runnerUp) {
    public Explanation {
        routes = List.copyOf(routes);
        binding = List.copyOf(binding);
    }

    /**
     * One route.
     *
     * @param ppm share of the chain's traffic
     */
    public record Route(NamedRoute names, long ppm) { }

    /**
     * A resource that nobody can have more of.
     *
     * @param resource its name
     * @param ppm its use as a share of its capacity
     * @param price of its whole capacity, in bit/s times microseconds
     */
    public record Binding(String resource, long ppm, double price) { }

    /**
     * The route that was not taken.
     *
     * @param route it carries nothing
     * @param extraPpm what it would cost more than the chain's largest route, at the prices of now; below 0 if others
     *     left room since
     * @param full the resource on it without room, if there is one
     */
    public record RunnerUp(NamedRoute route, long extraPpm, Optional<String> full) { }
}
