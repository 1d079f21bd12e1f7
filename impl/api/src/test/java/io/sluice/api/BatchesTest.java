// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchesTest {
    /** What the worker was given, and what ends each. */
    private final List<List<Integer>> given = new ArrayList<>();
    private final List<CompletableFuture<Void>> ends = new ArrayList<>();
    private final Batches<Integer> batches = new Batches<>(this::work);

    @Test
    void whatComesWhileABatchIsUnderWayIsTheNextOneInOrder() {
        final var first = add(1);
        final var second = add(2);
        final var third = add(3);
        assertEquals(List.of(List.of(1)), given);

        ends.getFirst().complete(null);
        assertTrue(first.isDone());
        assertFalse(second.isDone());
        assertEquals(List.of(List.of(1), List.of(2, 3)), given);

        final var fourth = add(4);
        ends.getLast().complete(null);
        assertTrue(second.isDone() && third.isDone());
        assertFalse(fourth.isDone());
        ends.getLast().complete(null);
        assertTrue(fourth.isDone());
        assertEquals(List.of(List.of(1), List.of(2, 3), List.of(4)), given);
    }

    @Test
    void eachItemAloneIsABatchOfItsOwn() {
        for (int item = 1; item <= 3; item++) {
            final var added = add(item);
            assertEquals(item, given.size());
            ends.getLast().complete(null);
            assertTrue(added.isDone());
        }
    }

    @Test
    void aBatchThatFailsIsTriedOnceMoreBeforeTheNextOne() {
        final var first = add(1);
        final var second = add(2);
        ends.getFirst().completeExceptionally(new IllegalStateException("conflict"));
        assertFalse(first.isDone());
        assertEquals(List.of(List.of(1), List.of(1)), given);
        ends.getLast().complete(null);
        assertFalse(first.isCompletedExceptionally());
        assertTrue(first.isDone());
        assertFalse(second.isDone());
    }

    @Test
    void allOfABatchAreToldWhenItFailsAgainAndTheNextOneBegins() {
        add(1);
        final var second = add(2);
        final var third = add(3);
        ends.getFirst().complete(null);
        final var fourth = add(4);
        for (int attempt = 1; attempt <= 2; attempt++) {
            ends.get(attempt).completeExceptionally(new IllegalStateException("no leader"));
        }
        for (var told : List.of(second, third)) {
            assertEquals("no leader", assertThrows(CompletionException.class, told::join).getCause().getMessage());
        }
        assertEquals(List.of(4), given.getLast());
        ends.getLast().complete(null);
        fourth.join();
    }

    @Test
    void aWorkerThatThrowsFailsTheBatch() {
        final var calls = new AtomicInteger();
        final var thrower = new Batches<Integer>(items -> {
            calls.incrementAndGet();
            throw new IllegalStateException("closed");
        });
        for (int i = 1; i <= 2; i++) {
            final var added = thrower.add(i).toCompletableFuture();
            assertEquals("closed", assertThrows(CompletionException.class, added::join).getCause().getMessage());
            assertEquals(2 * i, calls.get());
        }
    }

    @Test
    void batchesEndInOrderThoughTheSecondIsDoneAtOnce() {
        final var order = new ArrayList<Integer>();
        final var first = new CompletableFuture<Void>();
        final var quick = new Batches<Integer>(items ->
            items.contains(1) ? first : CompletableFuture.completedStage(null));
        for (int item = 1; item <= 2; item++) {
            final int number = item;
            quick.add(item).thenRun(() -> order.add(number));
        }
        first.complete(null);
        assertEquals(List.of(1, 2), order);
    }

    @Test
    void aWorkerThatIsDoneAtOnceMayAddWithoutEnd() {
        final var last = new AtomicInteger();
        final var self = new CompletableFuture<Batches<Integer>>();
        self.complete(new Batches<>(items -> {
            last.set(items.getFirst());
            if (last.get() < 100_000) {
                self.join().add(last.get() + 1);
            }
            return CompletableFuture.completedStage(null);
        }));
        self.join().add(1);
        assertEquals(100_000, last.get());
    }

    @Test
    void nothingIsLostOrDoneTwiceOrAtTheSameTimeFromManyThreads() {
        final var seen = new HashMap<Integer, Integer>();
        final var atWork = new AtomicInteger();
        final var most = new AtomicInteger();
        try (var threads = Executors.newFixedThreadPool(4)) {
            final var concurrent = new Batches<Integer>(items -> CompletableFuture.runAsync(() -> {
                most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
                items.forEach(item -> seen.merge(item, 1, Integer::sum));
                atWork.decrementAndGet();
            }, threads));
            CompletableFuture.allOf(IntStream.range(0, 10_000).mapToObj(item -> CompletableFuture.supplyAsync(() ->
                concurrent.add(item), threads).thenCompose(stage -> stage)).toArray(CompletableFuture[]::new)).join();
        }
        assertEquals(1, most.get());
        assertEquals(10_000, seen.size());
        assertTrue(seen.values().stream().allMatch(times -> times == 1));
    }

    private CompletableFuture<Void> add(final int item) {
        return batches.add(item).toCompletableFuture();
    }

    private CompletionStage<Void> work(final List<Integer> items) {
        given.add(items);
        ends.add(new CompletableFuture<>());
        return ends.getLast();
    }
}
