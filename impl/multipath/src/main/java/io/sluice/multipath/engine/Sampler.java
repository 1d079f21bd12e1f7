// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Claim.Traffic;
import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.steering.FlowRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads from the edge switches what the placed flows have carried. */
final class Sampler {
    private static final Traffic NOTHING = new Traffic(0, 0);
    /** A new flow is sampled once so soon, that others are not placed as if it wanted all there is. */
    private static final long FIRST_NS = 1_000_000_000L;
    /** A younger flow has not shown yet what it wants. */
    private static final long LEAST_AGE_NS = 500_000_000;

    private final Environment environment;
    private final FlowBook book;
    private boolean planned;

    Sampler(final Environment environment, final FlowBook book) {
        this.environment = environment;
        this.book = book;
    }

    /** Samples in a second, and again if there are flows then that are too young. */
    void sampleSoon() {
        if (!planned) {
            planned = true;
            environment.timer().after(FIRST_NS, () -> {
                planned = false;
                sample();
            });
        }
    }

    /** Asks all edge switches at once; a flow of which a side does not answer keeps its last figures. */
    CompletionStage<?> sample() {
        final var edges = new TreeSet<SwitchId>();
        book.all().forEach(flow -> {
            edges.add(flow.record().clientSide());
            edges.add(flow.record().serverSide());
        });
        final Map<SwitchId, Map<Long, Traffic>> counted = new HashMap<>();
        return CompletableFuture.allOf(edges.stream().map(edge ->
            environment.claim().traffic(edge, Pipeline.CLASSIFY).handleAsync((traffic, failure) ->
                failure == null ? counted.put(edge, traffic) : null, environment.loop()).toCompletableFuture())
            .toArray(CompletableFuture[]::new)).thenRunAsync(() -> note(counted), environment.loop());
    }

    private void note(final Map<SwitchId, Map<Long, Traffic>> counted) {
        final long nowNs = environment.nowNs().getAsLong();
        for (var flow : book.all()) {
            final var record = flow.record();
            if (nowNs - flow.movedNs() < LEAST_AGE_NS) {
                sampleSoon();
            } else if (counted.containsKey(record.clientSide()) && counted.containsKey(record.serverSide())) {
                final var forward = count(counted, record.clientSide(), record);
                final var backward = record.labels().isEmpty() ? forward : count(counted, record.serverSide(), record);
                book.put(flow.withUsage(flow.usage().sampled(forward, backward, nowNs)));
            }
        }
    }

    private static Traffic count(final Map<SwitchId, Map<Long, Traffic>> counted, final SwitchId edge,
            final FlowRecord record) {
        return counted.get(edge).getOrDefault(record.object(), NOTHING);
    }
}
