// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.node;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Installation;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Switches that answer when the test says so. */
final class ClaimByHand implements Claim {
    final Map<String, CompletableFuture<Installation>> waiting = new LinkedHashMap<>();

    List<String> asked() {
        return new ArrayList<>(waiting.keySet());
    }

    void confirmAll() {
        final var answered = Map.copyOf(waiting);
        waiting.clear();
        answered.values().forEach(answer -> answer.complete(new Installation.InPlace()));
    }

    void refuseAll() {
        refuseAll(node(1));
    }

    void refuseAll(final SwitchId by) {
        final var answered = Map.copyOf(waiting);
        waiting.clear();
        answered.values().forEach(answer ->
            answer.complete(new Installation.Pending(Map.of(by, "no meters"))));
    }

    @Override
    public CompletionStage<Installation> declare(final long object, final Map<SwitchId, List<Entry>> entries) {
        final var declared = entries.values().iterator().next();
        final var match = ((Entry.Flow) declared.getLast()).match();
        return waiting.computeIfAbsent(match.source().orElseThrow().address().getHostAddress() + " "
            + (declared.getFirst() instanceof Entry.Meter meter ? meter.rate() : "unmetered"),
            key -> new CompletableFuture<>());
    }

    @Override
    public CompletionStage<Installation> withdraw(final long object) {
        return waiting.computeIfAbsent("withdraw", key -> new CompletableFuture<>());
    }

    @Override
    public void restored() {
        throw new AssertionError("an enforcer does not know when everything is declared");
    }

    @Override
    public CompletionStage<Map<Long, List<Entry>>> held(final SwitchId switchId) {
        return CompletableFuture.completedStage(Map.of());
    }

    @Override
    public CompletionStage<Map<Long, Traffic>> traffic(final SwitchId switchId, final int tableId) {
        return CompletableFuture.completedStage(Map.of());
    }

    @Override
    public CompletionStage<Map<Integer, Metered>> metered(final SwitchId switchId) {
        return CompletableFuture.completedStage(Map.of());
    }

    @Override
    public void close() {
        throw new AssertionError("the claim is the engine's");
    }
}
