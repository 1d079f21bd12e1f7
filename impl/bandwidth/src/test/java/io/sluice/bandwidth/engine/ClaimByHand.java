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
import java.util.stream.Stream;

/** Switches that answer when the test says so; of each object they can be asked one thing at a time. */
final class ClaimByHand implements Claim {
    private record Asked(String what, CompletableFuture<Installation> answer) { }

    private final Map<Long, Asked> waiting = new LinkedHashMap<>();
    private final List<String> tooSoon = new ArrayList<>();

    List<String> asked() {
        return Stream.concat(waiting.values().stream().map(Asked::what), tooSoon.stream()).toList();
    }

    void confirmAll() {
        answerAll(new Installation.InPlace());
    }

    void refuseAll() {
        refuseAll(node(1));
    }

    void refuseAll(final SwitchId by) {
        answerAll(new Installation.Pending(Map.of(by, "no meters")));
    }

    private void answerAll(final Installation said) {
        final var answered = List.copyOf(waiting.values());
        waiting.clear();
        answered.forEach(asked -> asked.answer().complete(said));
    }

    private CompletionStage<Installation> ask(final long object, final String what) {
        final var asked = new Asked(what, new CompletableFuture<>());
        if (waiting.putIfAbsent(object, asked) != null) {
            tooSoon.add(what + " before object " + object + " has answered");
        }
        return asked.answer();
    }

    @Override
    public CompletionStage<Installation> declare(final long object, final Map<SwitchId, List<Entry>> entries) {
        final var declared = entries.values().iterator().next();
        final var match = ((Entry.Flow) declared.getLast()).match();
        return ask(object, match.source().orElseThrow().address().getHostAddress() + " "
            + (declared.getFirst() instanceof Entry.Meter meter ? meter.rate() : "unmetered"));
    }

    @Override
    public CompletionStage<Installation> withdraw(final long object) {
        return ask(object, "withdraw");
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
    public void compareWith(final Knowledge knowledge) {
        throw new UnsupportedOperationException("nothing is validated here");
    }

    @Override
    public void close() {
        throw new AssertionError("the claim is the engine's");
    }
}
