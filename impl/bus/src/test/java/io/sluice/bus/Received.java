// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a listener was told, whose publishers number the bodies of each stream from 1. */
final class Received implements Bus.Listener {
    private static final int PATIENCE_S = 30;

    /** Bodies of each stream in the order of arrival; a gap of n messages as -n. */
    final Map<StreamId, List<Long>> streams = new LinkedHashMap<>();
    /** Reasons of gaps. */
    final List<String> gaps = new ArrayList<>();

    @Override
    public synchronized void message(final Bus.Message message) {
        of(new StreamId(message.publisher(), message.topic())).add(Long.valueOf(message.body()));
        notifyAll();
    }

    @Override
    public synchronized void gap(final Bus.Gap gap) {
        gaps.add(gap.reason());
        of(new StreamId(gap.publisher(), gap.topic())).add(-gap.messages());
        notifyAll();
    }

    /** Waits until the last of the stream came. */
    synchronized void await(final StreamId stream, final long published) throws InterruptedException {
        final long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (last(stream) != published) {
            final long leftMs = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            assertTrue(leftMs > 0, () -> stream + ": " + count(stream) + " came, the last " + last(stream)
                + " instead of " + published);
            wait(leftMs);
        }
    }

    private List<Long> of(final StreamId stream) {
        return streams.computeIfAbsent(stream, key -> new ArrayList<>());
    }

    synchronized long last(final StreamId stream) {
        final var all = streams.getOrDefault(stream, List.of());
        return all.isEmpty() ? 0 : all.getLast();
    }

    synchronized int count(final StreamId stream) {
        return streams.getOrDefault(stream, List.of()).size();
    }

    /** Once, in order, up to the last one, and each hole was told; {@code first} is the first one, or 0 for any. */
    synchronized void check(final StreamId stream, final long first, final long published) {
        long next = first;
        for (final long each : of(stream)) {
            if (each > 0) {
                assertTrue(next == 0 || each == next, stream + ": " + each + " came instead of " + next);
                next = each + 1;
            } else {
                assertTrue(each < 0, stream + ": a gap of unknown size");
                next = next == 0 ? 0 : next - each;
            }
        }
        assertEquals(published + 1, next, stream + ": the end is missing");
    }
}
