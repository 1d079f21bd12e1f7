// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a rise looks at; to which rates it leads, the tests of the policies say. */
class ProgressiveFillingTest {
    private final Instance instance = new Instance(new Round(
        List.of(link("wide", 100), link("narrow", 10), link("closed", 0), link("elsewhere", 1)),
        List.of(new Tenant("t", 1, List.of(new Application("a", 1, List.of(
            Flow.of("f", List.of("wide", "narrow"), Optional.empty()),
            Flow.of("g", List.of("narrow"), Optional.empty()),
            Flow.of("h", List.of("closed", "wide"), Optional.empty())))))), 1_000_000), 0);
    private final ProgressiveFilling filling = new ProgressiveFilling(instance, new double[3]);

    @Test
    void onlyLinksThatFlowsMayFillAreWatched() {
        assertEquals(List.of("narrow"), watched(6, 5, -1));
        assertEquals(List.of(), watched(3, 5, -1));
        assertEquals(List.of("narrow"), watched(6, 4, -1));
        assertEquals(List.of("wide", "narrow"), watched(100, 0, -1));
        assertEquals(List.of(), watched(6, 3, -1));
    }

    @Test
    void fullLinksAreWatchedThoughNothingCanRise() {
        assertEquals(List.of("closed"), watched(-1, -1, 0));
        assertEquals(List.of("narrow", "closed"), watched(6, 4, 0));
    }

    /** Links that are watched if each flow may rise by so much; one with less than nothing has no part in it. */
    private List<String> watched(final double... most) {
        final int[] flows = IntStream.range(0, most.length).filter(flow -> most[flow] >= 0).toArray();
        final var crossings = filling.crossingsToWatch(flows, Arrays.stream(flows).mapToDouble(flow -> most[flow])
            .toArray());
        return Arrays.stream(crossings.links).mapToObj(link -> instance.links.get(link).name()).toList();
    }

    private static AllocatableLink link(final String name, final int bits) {
        return new AllocatableLink(name, Role.INTERNAL, new Bandwidth(bits));
    }
}
