// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HandLoopTest {
    private final HandLoop loop = new HandLoop();
    private final List<String> ran = new ArrayList<>();

    @Test
    void tasksRunInOrderWhenTold() {
        loop.execute(() -> {
            ran.add("first");
            loop.execute(() -> ran.add("third"));
        });
        loop.execute(() -> ran.add("second"));
        assertEquals(List.of(), ran);
        loop.run();
        assertEquals(List.of("first", "second", "third"), ran);
    }

    @Test
    void itWaitsForTasksOfOtherThreads() {
        final var answer = CompletableFuture.runAsync(() -> { }).thenApplyAsync(done -> "done", loop);
        assertEquals("done", loop.await(answer));
    }

    @Test
    void clearedTasksDontRun() {
        loop.execute(() -> ran.add("cleared"));
        loop.clear();
        loop.run();
        assertEquals(List.of(), ran);
    }
}
