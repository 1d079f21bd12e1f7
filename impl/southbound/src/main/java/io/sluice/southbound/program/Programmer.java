// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Claim;
import io.sluice.api.Failures;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Owner;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.SwitchReconciler.Repair;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Desired state for all switches: takes declarations from the applications, sessions from the OpenFlow edge, and lets a
 * {@link SwitchReconciler} a switch bring the two together. Thread-safe: everything happens on one loop.
 */
public final class Programmer implements FlowProgrammer {
    private static final String UNKNOWN = "no such switch has attached";

    private final Executor loop;
    private final DeclarationAudit audit;
    private final Map<SwitchId, SwitchReconciler> switches = new HashMap<>();
    private final Set<SwitchId> connecting = new HashSet<>();
    private final Map<Integer, OwnedClaim> claims = new HashMap<>();
    private final Set<Integer> settled = new HashSet<>();
    private final List<BiConsumer<SwitchId, SwitchFeatures>> listeners = new ArrayList<>();

    /** What became of one switch in a validation or repair. */
    public sealed interface Outcome {
        /**
         * It was read, and repaired if that was asked for.
         *
         * @param refused what the switch refused of the repair, and why
         */
        record Compared(Comparison comparison, Map<EntryKey, String> refused) implements Outcome {
            public Compared {
                refused = Map.copyOf(refused);
            }

            /** What was mended of what differed. */
            public long mended() {
                return comparison.differences().stream().filter(difference -> !refused.containsKey(difference.key()))
                    .count();
            }
        }

        record Failed(String reason) implements Outcome { }

        /** It has connected, and has not said yet what it can do. */
        record Connecting() implements Outcome { }
    }

    /**
     * Starts with no switches and no claims.
     *
     * @param loop runs one task at a time, in order
     */
    public Programmer(final Executor loop) {
        this.loop = loop;
        audit = new DeclarationAudit(loop);
    }

    @Override
    public Claim claim(final Owner owner) {
        final var claim = new OwnedClaim(owner, this);
        synchronized (claims) {
            if (claims.putIfAbsent(owner.number(), claim) != null) {
                throw new IllegalStateException("owner " + owner.name() + " has a claim already");
            }
        }
        return claim;
    }

    /** Expects a switch that has connected; {@link #attached} or {@link #detached} follows. */
    public void connecting(final SwitchId switchId) {
        loop.execute(() -> connecting.add(switchId));
    }

    /** Takes a switch that has attached; completes with what differed, after the repair. */
    public CompletionStage<Comparison> attached(final SwitchId switchId, final SwitchSession session) {
        return onLoop(() -> {
            connecting.remove(switchId);
            listeners.forEach(listener -> listener.accept(switchId, session.features()));
            return reconciler(switchId).attach(session);
        });
    }

    /** Tells what each switch can do, those that are attached and those that will be. */
    public Subscription onAttached(final BiConsumer<SwitchId, SwitchFeatures> listener) {
        loop.execute(() -> {
            listeners.add(listener);
            switches.forEach((switchId, reconciler) -> {
                if (reconciler.isAttached()) {
                    listener.accept(switchId, reconciler.session().features());
                }
            });
        });
        return () -> loop.execute(() -> listeners.remove(listener));
    }

    /** The session with an attached switch; nothing if there is none. */
    public CompletionStage<Optional<SwitchSession>> session(final SwitchId switchId) {
        return onLoop(() -> CompletableFuture.completedStage(
            Optional.ofNullable(switches.get(switchId)).map(SwitchReconciler::session)));
    }

    /** Lets go of a switch that went away. */
    public void detached(final SwitchId switchId) {
        loop.execute(() -> {
            connecting.remove(switchId);
            reconciler(switchId).detach();
        });
    }

    /**
     * Forgets a switch that has left for good, with what {@code owner} declared for it.
     *
     * @return nothing, or why the switch has to stay
     */
    public CompletionStage<Optional<String>> forget(final SwitchId switchId, final Owner owner) {
        return onLoop(() -> {
            final var reason = reasonToKeep(switchId, owner);
            if (reason.isEmpty()) {
                switches.remove(switchId);
            }
            return CompletableFuture.completedStage(reason);
        });
    }

    /**
     * Compares one switch, or all that are attached or connecting, with what is declared, and that with what the owners
     * know to be needed; changes nothing.
     */
    public CompletionStage<Map<SwitchId, Outcome>> validate(final Optional<SwitchId> only) {
        return onLoop(() -> audit.look(presentClaims()).thenCompose(findings ->
            forEach(only, SwitchReconciler::validate).thenApply(outcomes -> with(findings, outcomes))));
    }

    /** As {@link #validate}, and repairs what differs. */
    public CompletionStage<Map<SwitchId, Outcome>> sync(final Optional<SwitchId> only) {
        return onLoop(() -> audit.look(presentClaims()).thenCompose(findings ->
            mended(findings).thenCompose(mended -> forEach(only, SwitchReconciler::sync))
                .thenApply(outcomes -> with(findings, outcomes))));
    }

    <T> CompletionStage<T> onLoop(final Supplier<CompletionStage<T>> task) {
        return CompletableFuture.supplyAsync(task, loop).thenCompose(stage -> stage);
    }

    Executor loop() {
        return loop;
    }

    boolean knows(final SwitchId switchId) {
        return switches.containsKey(switchId);
    }

    /** To be called on the loop. */
    SwitchReconciler reconciler(final SwitchId switchId) {
        return switches.computeIfAbsent(switchId, id -> new SwitchReconciler(loop, settled::contains));
    }

    /** Everything that the owner wants has been declared: what else bears its mark goes. */
    void settle(final Owner owner) {
        loop.execute(() -> {
            settled.add(owner.number());
            forEach(Optional.empty(), SwitchReconciler::sync);
        });
    }

    /** Lets go of an owner's declarations; a new claim may follow at once, what it declares comes after. */
    void release(final OwnedClaim claim) {
        final int number = claim.owner().number();
        loop.execute(() -> {
            claim.end();
            settled.remove(number);
            switches.values().forEach(reconciler -> reconciler.forget(number));
        });
        synchronized (claims) {
            claims.remove(number, claim);
        }
    }

    /** Completes on the loop. */
    private CompletionStage<?> mended(final DeclarationAudit.Findings findings) {
        return findings.gaps().isEmpty() ? CompletableFuture.completedStage(null)
            : audit.mend(findings).thenApplyAsync(done -> done, loop);
    }

    private List<OwnedClaim> presentClaims() {
        synchronized (claims) {
            return List.copyOf(claims.values());
        }
    }

    private static Map<SwitchId, Outcome> with(final DeclarationAudit.Findings findings,
            final Map<SwitchId, Outcome> outcomes) {
        final var all = new TreeMap<SwitchId, Outcome>(outcomes);
        all.replaceAll((switchId, outcome) -> outcome instanceof Outcome.Compared compared
            ? new Outcome.Compared(compared.comparison().with(findings.of(switchId)), compared.refused()) : outcome);
        return all;
    }

    private Optional<String> reasonToKeep(final SwitchId switchId, final Owner owner) {
        final var reconciler = switches.get(switchId);
        if (reconciler == null) {
            return Optional.of(UNKNOWN);
        }
        if (reconciler.isAttached()) {
            return Optional.of(switchId + " is attached");
        }
        final var others = new TreeSet<String>();
        synchronized (claims) {
            reconciler.owners().stream().filter(number -> number != owner.number()).map(claims::get)
                .filter(Objects::nonNull).forEach(claim -> others.add(claim.owner().name()));
        }
        return others.isEmpty() ? Optional.empty()
            : Optional.of("entries on " + switchId + " are declared by " + String.join(", ", others));
    }

    private CompletionStage<Map<SwitchId, Outcome>> forEach(final Optional<SwitchId> only,
            final Function<SwitchReconciler, CompletionStage<Repair>> action) {
        final var outcomes = new TreeMap<SwitchId, Outcome>();
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        connecting.stream().filter(switchId -> only.map(switchId::equals).orElse(true))
            .forEach(switchId -> outcomes.put(switchId, new Outcome.Connecting()));
        for (var entry : switches.entrySet()) {
            final boolean isMeant = only.map(entry.getKey()::equals).orElse(entry.getValue().isAttached());
            if (isMeant && !connecting.contains(entry.getKey())) {
                all = all.thenCombine(action.apply(entry.getValue()).handleAsync((repair, failure) ->
                    outcomes.put(entry.getKey(), failure == null
                        ? new Outcome.Compared(repair.comparison(), repair.refused())
                        : new Outcome.Failed(Failures.reason(failure))), loop), (first, second) -> null);
            }
        }
        only.filter(name -> !switches.containsKey(name) && !connecting.contains(name))
            .ifPresent(name -> outcomes.put(name, new Outcome.Failed(UNKNOWN)));
        return all.thenApply(done -> outcomes);
    }
}
