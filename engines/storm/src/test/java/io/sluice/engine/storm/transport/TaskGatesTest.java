// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskGatesTest {
    private final AtomicBoolean[] flags = Arrays.stream(new int[4]).mapToObj(none -> new AtomicBoolean())
        .toArray(AtomicBoolean[]::new);
    private final TaskGates gates = new TaskGates(flags);

    private List<Integer> closed() {
        return IntStream.range(0, flags.length).filter(task -> flags[task].get()).boxed().toList();
    }

    @Test
    void aTaskIsOpenWhenNeitherItsWorkerNorAConnectionHoldsItBack() {
        gates.told(List.of(1, 2), List.of(0, 3));
        gates.full(1);
        gates.full(1);
        assertEquals(List.of(1, 2), closed());
        gates.told(null, List.of(0, 1, 2, 3));
        assertEquals(List.of(1), closed());
        gates.free(1);
        assertEquals(List.of(1), closed());
        gates.told(List.of(1), null);
        gates.free(1);
        assertEquals(List.of(1), closed());
        gates.told(List.of(), List.of(1));
        assertEquals(List.of(), closed());
    }

    @Test
    void aTaskThatThereIsNotChangesNothing() {
        gates.told(List.of(-1, 4), List.of());
        assertEquals(List.of(), closed());
    }
}
