// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.multipath.engine.FlowCounts.Counted;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.FlowEvents;

class FlowEventsTest {
    @Test
    void eachCountHasItsLeaf() {
        final var totals = Arrays.stream(Counted.values()).collect(Collectors.toMap(Function.identity(),
            what -> 10L + what.ordinal()));
        assertEquals(LongStream.range(10, 10 + totals.size()).boxed().toList(), leaves(totals));
    }

    @Test
    void whatNeverHappenedIsZero() {
        assertEquals(List.of(0L, 3L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L), leaves(Map.of(Counted.MOVED, 3L)));
    }

    private static List<Long> leaves(final Map<Counted, Long> totals) {
        final FlowEvents events = StateCodec.events(totals);
        return Stream.of(events.getPlaced(), events.getMoved(), events.getWithdrawn(), events.getRefused(),
            events.getTransfersRefused(), events.getSlotsRefused(), events.getTurnedAway(), events.getDropped(),
            events.getFragmentsRelayed(), events.getFragmentsDropped())
            .map(count -> count.longValue()).toList();
    }
}
