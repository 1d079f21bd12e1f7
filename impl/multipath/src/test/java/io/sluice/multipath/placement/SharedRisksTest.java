// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.PathFinder.Unshared;
import io.sluice.testlib.TopologyBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SharedRisksTest {
    private static final Bandwidth RATE = Bandwidth.ofMegabits(10);

    private final TopologyBuilder builder = new TopologyBuilder();
    private final SwitchId source = builder.addSwitch();
    private final SwitchId target = builder.addSwitch();

    /** Two ways of two links each, of which the first ones share a duct, and one of three links elsewhere. */
    @Test
    void pathsApartTakeTheLongWayRoundTheDuct() {
        final var near = over(1);
        final var other = over(1);
        final var far = over(2);
        final var finder = new PathFinder(grouped(link -> leaves(link, source)
            && !link.destination().switchId().equals(far) ? Set.of(7L) : Set.of()));

        assertEquals(Set.of(near, other), middles(finder.find(source, target, 2, Unshared.LINK)));

        final var apart = finder.find(source, target, 2, Unshared.SHARED_RISK_GROUP);
        assertEquals(2, apart.disjoint());
        assertEquals(List.of(2L, 3L), apart.costs());
        assertEquals(List.of(), apart.shared());
        assertTrue(apart.proven());
        assertTrue(middles(apart).contains(far));

        final var all = finder.find(source, target, 3, Unshared.SHARED_RISK_GROUP);
        assertEquals(2, all.disjoint());
        assertEquals(Set.of(near, other, far), middles(all));
        assertEquals(List.of("shared-risk-group 7"), all.shared());
        assertTrue(all.proven());
    }

    @Test
    void groupsAreNamedByTheirNumbersAndOtherLinksByTheirPorts() {
        final var middle = over(1);
        final var answer = new PathFinder(grouped(link -> leaves(link, source) ? Set.of(4_294_967_295L, 0L) : Set.of()))
            .find(source, target, 2, Unshared.SHARED_RISK_GROUP);

        assertEquals(1, answer.disjoint());
        assertEquals(List.of(target + ":1->" + middle + ":2", "shared-risk-group 0", "shared-risk-group 4294967295"),
            answer.shared());
        assertEquals(Set.of(middle), middles(answer));
    }

    @Test
    void whatIsNotProvenIsSaid() {
        final var all = new ArrayList<>(List.of(source, target));
        all.addAll(builder.addSwitches(6));
        for (int one = 0; one < all.size(); one++) {
            for (int other = 0; other < one; other++) {
                builder.connect(all.get(one), all.get(other), RATE, 1);
            }
        }

        final var answer = new PathFinder(grouped(link -> leaves(link, source) ? Set.of(1L) : Set.of()))
            .find(source, target, 2, Unshared.SHARED_RISK_GROUP);

        assertFalse(answer.proven());
        assertEquals(1, answer.disjoint());
        assertTrue(answer.shared().contains("shared-risk-group 1"), answer.shared().toString());
    }

    /** Adds a way from source to target over so many switches; returns the first of them. */
    private SwitchId over(final int switches) {
        final var way = builder.addSwitches(switches);
        builder.connect(source, way.getFirst(), RATE, 1);
        for (int i = 1; i < switches; i++) {
            builder.connect(way.get(i - 1), way.get(i), RATE, 1);
        }
        builder.connect(way.getLast(), target, RATE, 1);
        return way.getFirst();
    }

    private static boolean leaves(final Link link, final SwitchId end) {
        return link.source().switchId().equals(end);
    }

    /** The network with links in groups; it is enough if one direction of a cable is. */
    private FabricSnapshot grouped(final Function<Link, Set<Long>> groups) {
        final var plain = builder.build();
        return new FabricSnapshot(1, plain.switches(), plain.ports(), plain.links().stream().map(link ->
            new Link(link.source(), link.destination(), link.capacity(), link.load(), groups.apply(link))).toList(),
            plain.hosts());
    }

    /** The switches that the paths come to first. */
    private static Set<SwitchId> middles(final PathFinder.Answer answer) {
        return answer.paths().stream().map(Path::links).map(links -> links.getFirst().destination().switchId())
            .collect(Collectors.toSet());
    }
}
