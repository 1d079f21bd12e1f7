// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Installation;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.DeclarationAudit.Gap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One owner's declarations; the maps belong to the programmer's loop. */
final class OwnedClaim implements Claim {
    private static final Installation IN_PLACE = new Installation.InPlace();

    private final Owner owner;
    private final Programmer programmer;
    /** What each object holds where. */
    private final Map<Long, Map<SwitchId, Set<EntryKey>>> objects = new HashMap<>();
    /** The last declaration of each object that is still under way: declarations of one object take turns. */
    private final Map<Long, CompletionStage<Installation>> underWay = new HashMap<>();
    private Optional<Knowledge> knowledge = Optional.empty();
    private boolean ended;

    OwnedClaim(final Owner owner, final Programmer programmer) {
        this.owner = owner;
        this.programmer = programmer;
    }

    Owner owner() {
        return owner;
    }

    /** Turns that are still to come do nothing: what they would change may be a successor's. */
    void end() {
        ended = true;
    }

    @Override
    public CompletionStage<Installation> declare(final long object, final Map<SwitchId, List<Entry>> entries) {
        final var wanted = new TreeMap<SwitchId, List<Held.Known>>();
        entries.forEach((switchId, list) ->
            wanted.put(switchId, list.stream().map(entry -> known(object, entry)).toList()));
        return programmer.onLoop(() -> {
            final var before = underWay.getOrDefault(object, CompletableFuture.completedStage(IN_PLACE));
            final var turn = before.exceptionally(failure -> IN_PLACE)
                .thenComposeAsync(ended -> replace(object, wanted), programmer.loop());
            underWay.put(object, turn);
            turn.whenCompleteAsync((answer, failure) -> underWay.remove(object, turn), programmer.loop());
            return turn;
        });
    }

    @Override
    public CompletionStage<Installation> withdraw(final long object) {
        return declare(object, Map.of());
    }

    @Override
    public void restored() {
        programmer.settle(owner);
    }

    @Override
    public CompletionStage<Map<Long, List<Entry>>> held(final SwitchId switchId) {
        return programmer.onLoop(() -> programmer.reconciler(switchId).held()).thenApply(this::byObject);
    }

    @Override
    public CompletionStage<Map<Long, Traffic>> traffic(final SwitchId switchId, final int tableId) {
        return ask(switchId, session -> session.traffic(tableId)).thenApply(this::byObject);
    }

    @Override
    public CompletionStage<Map<Integer, Metered>> metered(final SwitchId switchId) {
        return ask(switchId, SwitchSession::metered).thenApply(this::byOwnNumber);
    }

    @Override
    public void compareWith(final Knowledge known) {
        programmer.loop().execute(() -> knowledge = Optional.of(known));
    }

    @Override
    public void close() {
        programmer.release(this);
    }

    /** What the owner knows, if it lets that be compared; to be called on the loop, as what follows. */
    Optional<Knowledge> knowledge() {
        return knowledge;
    }

    /** Compares what the owner needs with what it has declared; what is changing is left out. */
    Set<Gap> gaps(final Needs needs) {
        if (ended) {
            return Set.of();
        }
        final var gaps = new HashSet<Gap>();
        final var all = new HashSet<>(needs.entries().keySet());
        all.addAll(objects.keySet());
        all.removeAll(needs.changing());
        all.removeAll(underWay.keySet());
        for (long object : all) {
            final var needed = needs.entries().getOrDefault(object, Map.of());
            needed.forEach((switchId, entries) -> addUndeclared(object, switchId, entries, gaps));
            objects.getOrDefault(object, Map.of()).forEach((switchId, keys) -> {
                final var unneeded = new HashSet<>(keys);
                needed.getOrDefault(switchId, List.of()).forEach(entry -> unneeded.remove(EntryKey.of(entry)));
                unneeded.forEach(key -> gaps.add(new Gap(object, switchId, key, Comparison.Kind.UNNEEDED)));
            });
        }
        return gaps;
    }

    private void addUndeclared(final long object, final SwitchId switchId, final List<Entry> entries,
            final Set<Gap> gaps) {
        if (programmer.knows(switchId)) {
            final var reconciler = programmer.reconciler(switchId);
            entries.stream().filter(entry -> !reconciler.declares(owner.cookie(object), known(object, entry)))
                .forEach(entry ->
                    gaps.add(new Gap(object, switchId, EntryKey.of(entry), Comparison.Kind.UNDECLARED)));
        }
    }

    private Held.Known known(final long object, final Entry entry) {
        return new Held.Known(entry, owner.number(), entry instanceof Entry.Flow ? owner.cookie(object) : 0);
    }

    private Map<Long, List<Entry>> byObject(final Collection<Held> held) {
        final var flows = new HashMap<Long, List<Entry.Flow>>();
        final var others = new ArrayList<Entry>();
        held.forEach(one -> {
            if (one instanceof Held.Known(var entry, var number, var cookie) && number == owner.number()) {
                if (entry instanceof Entry.Flow flow) {
                    flows.computeIfAbsent(Owner.objectOfCookie(cookie), object -> new ArrayList<>()).add(flow);
                } else {
                    others.add(entry);
                }
            }
        });
        final var objects = new HashMap<Long, List<Entry>>();
        flows.forEach((object, users) -> objects.put(object, Stream.concat(
            others.stream().filter(other -> users.stream().anyMatch(user -> user.uses(other))),
            users.stream()).toList()));
        return objects;
    }

    private <T> CompletionStage<T> ask(final SwitchId switchId,
            final Function<SwitchSession, CompletionStage<T>> question) {
        return programmer.onLoop(() -> {
            final var session = programmer.reconciler(switchId).session();
            return session == null
                ? CompletableFuture.failedStage(new IllegalStateException(switchId + " is not attached"))
                : question.apply(session);
        });
    }

    private Map<Integer, Metered> byOwnNumber(final Map<Integer, Metered> byNumber) {
        final var metered = new HashMap<Integer, Metered>();
        byNumber.forEach((number, amount) -> {
            if (Owner.ownerOfMeter(number) == owner.number()) {
                metered.put(Owner.meterOfNumber(number), amount);
            }
        });
        return metered;
    }

    private Map<Long, Traffic> byObject(final Map<Long, Traffic> byCookie) {
        final var traffic = new HashMap<Long, Traffic>();
        byCookie.forEach((cookie, amount) -> {
            if (Owner.ownerOfCookie(cookie) == owner.number()) {
                traffic.put(Owner.objectOfCookie(cookie), amount);
            }
        });
        return traffic;
    }

    /** Adds on all switches, waits, then removes on all switches. */
    private CompletionStage<Installation> replace(final long object, final Map<SwitchId, List<Held.Known>> wanted) {
        final var reasons = new TreeMap<SwitchId, String>();
        if (ended) {
            wanted.keySet().forEach(switchId -> reasons.put(switchId, "the claim of " + owner.name() + " is closed"));
            return CompletableFuture.completedStage(installation(reasons));
        }
        final var old = objects.getOrDefault(object, Map.of());
        final var held = new TreeMap<SwitchId, Set<EntryKey>>();
        final var additions = new ArrayList<CompletionStage<?>>();
        wanted.forEach((switchId, list) -> {
            held.put(switchId, list.stream().map(known -> EntryKey.of(known.entry())).collect(Collectors.toSet()));
            additions.add(note(switchId, programmer.reconciler(switchId)
                .change(owner.cookie(object), list, List.of()), reasons));
        });
        if (held.isEmpty()) {
            objects.remove(object);
        } else {
            objects.put(object, held);
        }
        return all(additions).thenComposeAsync(added -> remove(object, old, held, reasons), programmer.loop())
            .thenApply(removed -> installation(reasons));
    }

    private static Installation installation(final Map<SwitchId, String> reasons) {
        return reasons.isEmpty() ? IN_PLACE : new Installation.Pending(reasons);
    }

    private CompletionStage<?> remove(final long object, final Map<SwitchId, Set<EntryKey>> old,
            final Map<SwitchId, Set<EntryKey>> held, final Map<SwitchId, String> reasons) {
        if (ended) {
            return CompletableFuture.completedStage(null);
        }
        final long cookie = owner.cookie(object);
        final var removals = new ArrayList<CompletionStage<?>>();
        old.forEach((switchId, keys) -> {
            final var gone = new HashSet<>(keys);
            gone.removeAll(held.getOrDefault(switchId, Set.of()));
            if (!gone.isEmpty() && programmer.knows(switchId)) {
                removals.add(note(switchId, programmer.reconciler(switchId).change(cookie, List.of(), gone), reasons));
            }
        });
        return all(removals);
    }

    private CompletionStage<?> note(final SwitchId switchId, final CompletionStage<Optional<String>> change,
            final Map<SwitchId, String> reasons) {
        return change.thenAcceptAsync(reason -> reason.ifPresent(text -> reasons.put(switchId, text)),
            programmer.loop());
    }

    private static CompletionStage<?> all(final List<CompletionStage<?>> stages) {
        return CompletableFuture.allOf(stages.stream().map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture[]::new));
    }
}
