// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventDrawTest {
    private static final FabricSnapshot FABRIC =
        Topologies.leafSpine(3, 2, 1, 2, Rates.equal(Bandwidth.ofMegabits(100)));
    private static final int MANY = 2000;

    private final World world = new World(FABRIC, 2);

    @Test
    void theSameSeedDrawsTheSameEvents() {
        assertEquals(draws(3), draws(3));
        assertNotEquals(draws(3), draws(4));
    }

    @Test
    void allKindsAreDrawnOnceThereIsAService() {
        world.serve("service-0", new World.Service(world.floating().getFirst(), world.stations().subList(0, 2)));
        assertEquals(Set.of("Move", "ThereAndBack", "HostFlap", "CableFlap", "Outage", "Forgery", "ServiceAdded",
            "ServiceRemoved", "ServerAdded", "ServerRemoved"), draws(1).stream().map(event ->
                event.getClass().getSimpleName()).collect(Collectors.toSet()));
    }

    @Test
    void whatIsBusyIsLeftAlone() {
        final var busy = new HashSet<Object>(world.floating());
        busy.addAll(FABRIC.switches());
        busy.addAll(world.stations());
        busy.addAll(FABRIC.links());
        final var draw = draw(1);
        IntStream.range(0, MANY).mapToObj(number -> draw.next(busy)).forEach(event ->
            assertTrue(event instanceof Event.Forgery || event instanceof Event.ServiceAdded, event::toString));
    }

    @Test
    void timesAreWithinTheirLimits() {
        draws(2).forEach(event -> {
            switch (event) {
                case Event.ThereAndBack away -> assertWithin(50, 2000, away.awayNs());
                case Event.Outage outage -> {
                    assertWithin(200, 5000, outage.lengthNs());
                    outage.moves().forEach(later -> {
                        assertTrue(later.afterNs() < outage.lengthNs());
                        assertEquals(0, later.move().announcements(), "it is silent");
                    });
                }
                case Event.Move move -> assertFalse(world.has(move.to(), move.address()));
                default -> { }
            }
        });
    }

    private List<Event> draws(final long seed) {
        final var draw = draw(seed);
        return IntStream.range(0, MANY).mapToObj(number -> draw.next(Set.of())).toList();
    }

    private EventDraw draw(final long seed) {
        return new EventDraw(new Random(seed), world, Topologies.cables(FABRIC), FABRIC.switches());
    }

    private static void assertWithin(final long leastMs, final long mostMs, final long ns) {
        assertTrue(ns >= Duration.ofMillis(leastMs).toNanos() && ns <= Duration.ofMillis(mostMs).toNanos(), ns + " ns");
    }
}
