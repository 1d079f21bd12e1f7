// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.Pipeline;
import io.sluice.southbound.program.Change.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeTest {
    @Test
    void noTableHandsPacketsOnToOneThatLacksItsEntries() {
        final var tables = List.of(Pipeline.CLASSIFY, Pipeline.METER, Pipeline.DELIVER, Pipeline.STEER);
        assertEquals(List.of(Pipeline.DELIVER, Pipeline.STEER, Pipeline.CLASSIFY, Pipeline.METER),
            sorted(Kind.ADD, tables));
        assertEquals(List.of(Pipeline.METER, Pipeline.CLASSIFY, Pipeline.STEER, Pipeline.DELIVER),
            sorted(Kind.REMOVE, tables));
    }

    private static List<Integer> sorted(final Kind kind, final List<Integer> tables) {
        return tables.stream().map(table -> new Flow(table, 1, FlowMatch.ANY, List.of()))
            .map(flow -> new Change(kind, EntryKey.of(flow), new Held.Known(flow, 1, 0))).sorted(Change.ORDER)
            .map(change -> ((EntryKey.FlowKey) change.key()).tableId()).toList();
    }
}
