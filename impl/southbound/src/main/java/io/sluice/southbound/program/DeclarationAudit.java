// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Claim;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Compares what owners declare with what they know to be needed. Owners go on while they are asked, so that a gap
 * counts only if it is found twice. All methods run on {@code loop}.
 */
final class DeclarationAudit {
    private final Executor loop;

    /** An entry that an object needs and does not declare, or the other way round. */
    record Gap(long object, SwitchId switchId, EntryKey key, Comparison.Kind kind) { }

    /** Gaps of the owners that have any. */
    record Findings(Map<OwnedClaim, Set<Gap>> gaps) {
        /** Returns the gaps of one switch, by key. */
        Map<EntryKey, Comparison.Kind> of(final SwitchId switchId) {
            final var kinds = new LinkedHashMap<EntryKey, Comparison.Kind>();
            gaps.values().stream().flatMap(Set::stream).filter(gap -> gap.switchId().equals(switchId))
                .forEach(gap -> kinds.put(gap.key(), gap.kind()));
            return kinds;
        }
    }

    DeclarationAudit(final Executor loop) {
        this.loop = loop;
    }

    /** Asks all owners that let their knowledge be compared; one that fails to answer has no gaps. */
    CompletionStage<Findings> look(final Collection<OwnedClaim> claims) {
        final var gaps = new HashMap<OwnedClaim, Set<Gap>>();
        return all(claims.stream().flatMap(claim -> claim.knowledge().stream().map(knowledge ->
            found(claim, knowledge).thenCompose(once -> once.isEmpty() ? CompletableFuture.completedStage(once)
                : found(claim, knowledge).thenApply(twice -> common(once, twice))).thenAcceptAsync(found -> {
                    if (!found.isEmpty()) {
                        gaps.put(claim, found);
                    }
                }, loop))).toList()).thenApply(done -> new Findings(gaps));
    }

    /** Has the owners declare again what has gaps. */
    CompletionStage<?> mend(final Findings findings) {
        final var mended = new ArrayList<CompletionStage<?>>();
        findings.gaps().forEach((claim, gaps) -> {
            final var objects = gaps.stream().map(Gap::object).collect(Collectors.toSet());
            claim.knowledge().ifPresent(knowledge ->
                mended.add(knowledge.declareAgain(objects).exceptionally(failure -> null)));
        });
        return all(mended);
    }

    private CompletionStage<Set<Gap>> found(final OwnedClaim claim, final Claim.Knowledge knowledge) {
        return CompletableFuture.completedStage(knowledge).thenCompose(Claim.Knowledge::needs)
            .thenApplyAsync(claim::gaps, loop).exceptionally(failure -> Set.of());
    }

    private static Set<Gap> common(final Set<Gap> once, final Set<Gap> twice) {
        final var both = new HashSet<>(once);
        both.retainAll(twice);
        return both;
    }

    private static CompletionStage<?> all(final List<? extends CompletionStage<?>> stages) {
        return CompletableFuture.allOf(stages.stream().map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture[]::new));
    }
}
