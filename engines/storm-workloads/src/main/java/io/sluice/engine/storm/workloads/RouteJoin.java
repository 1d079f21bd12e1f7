// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Brings what trucks tell together with the state of their route: an event waits until the route has told of itself as
 * late as the event is, and has the latest that it told. Numbers of a route's events and reports go up.
 */
final class RouteJoin {
    private final Map<Integer, Long> reported = new HashMap<>();
    private final Map<Integer, Queue<Event>> waiting = new HashMap<>();

    /**
     * What a truck told.
     *
     * @param number which of its route
     * @param createdUs when it left its source
     */
    record Event(long number, long createdUs) { }

    /** A truck tells; returns the events that are complete now, which is this one or none. */
    List<Event> event(final int route, final Event event) {
        if (event.number() <= reported.getOrDefault(route, -1L)) {
            return List.of(event);
        }
        waiting.computeIfAbsent(route, made -> new ArrayDeque<>()).add(event);
        return List.of();
    }

    /** A route tells; returns the events that are complete now, in their order. */
    List<Event> report(final int route, final long number) {
        reported.merge(route, number, Math::max);
        final var complete = new ArrayList<Event>();
        final var events = waiting.getOrDefault(route, new ArrayDeque<>());
        while (!events.isEmpty() && events.peek().number() <= number) {
            complete.add(events.remove());
        }
        return complete;
    }
}
