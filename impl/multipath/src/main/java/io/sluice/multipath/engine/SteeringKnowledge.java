// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.SwitchId;
import io.sluice.multipath.steering.Changes;
import io.sluice.multipath.steering.Steering;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/** What the placed flows need, compiled afresh from their records for each validation. */
final class SteeringKnowledge implements Claim.Knowledge {
    private final Steering steering;
    private final Installer installer;
    private final Claim claim;
    private final Executor loop;

    SteeringKnowledge(final Steering steering, final Installer installer, final Claim claim, final Executor loop) {
        this.steering = steering;
        this.installer = installer;
        this.claim = claim;
        this.loop = loop;
    }

    @Override
    public CompletionStage<Claim.Needs> needs() {
        return CompletableFuture.supplyAsync(() -> new Claim.Needs(entries(), installer.changing()), loop);
    }

    @Override
    public CompletionStage<?> declareAgain(final Set<Long> objects) {
        return CompletableFuture.supplyAsync(() -> {
            final var entries = entries();
            return CompletableFuture.allOf(objects.stream().filter(object -> !installer.changing().contains(object))
                .map(object -> claim.declare(object, entries.getOrDefault(object, Map.of())).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
        }, loop).thenCompose(declared -> declared);
    }

    private Map<Long, Map<SwitchId, List<Entry>>> entries() {
        return steering.everything().declared().stream()
            .collect(Collectors.toMap(declared -> declared.record().object(), Changes.Declared::entries));
    }
}
