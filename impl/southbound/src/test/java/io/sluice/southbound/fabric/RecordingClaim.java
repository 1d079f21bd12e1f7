// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Installation;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.EntryKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What the fabric declares, for a test to look at; takes everything but what {@code refusals} say. */
final class RecordingClaim implements Claim {
    final Map<Long, Map<SwitchId, List<Entry>>> objects = new HashMap<>();
    final List<String> calls = new ArrayList<>();
    /** What answers have carried, by object. */
    final Map<Long, Traffic> carried = new HashMap<>();
    /** Says why an entry is refused, if it is. */
    Function<Entry, Optional<String>> refusals = entry -> Optional.empty();
    Knowledge knowledge;

    @Override
    public CompletionStage<Installation> declare(final long object, final Map<SwitchId, List<Entry>> entries) {
        calls.add("declare");
        objects.put(object, entries);
        final var reasons = new HashMap<SwitchId, String>();
        entries.forEach((switchId, list) -> list.stream().flatMap(entry -> refusals.apply(entry).stream()
            .map(reason -> EntryKey.of(entry) + ": " + reason)).findFirst()
            .ifPresent(reason -> reasons.put(switchId, reason)));
        return CompletableFuture.completedStage(reasons.isEmpty() ? new Installation.InPlace()
            : new Installation.Pending(reasons));
    }

    @Override
    public CompletionStage<Installation> withdraw(final long object) {
        calls.add("withdraw");
        objects.remove(object);
        return CompletableFuture.completedStage(new Installation.InPlace());
    }

    @Override
    public void restored() {
        calls.add("restored");
    }

    @Override
    public CompletionStage<Map<Long, List<Entry>>> held(final SwitchId switchId) {
        return CompletableFuture.completedStage(Map.of());
    }

    @Override
    public CompletionStage<Map<Long, Traffic>> traffic(final SwitchId switchId, final int tableId) {
        return CompletableFuture.completedStage(carried);
    }

    @Override
    public CompletionStage<Map<Integer, Metered>> metered(final SwitchId switchId) {
        return CompletableFuture.completedStage(Map.of());
    }

    @Override
    public void compareWith(final Knowledge known) {
        knowledge = known;
    }

    @Override
    public void close() {
        calls.add("close");
    }
}
