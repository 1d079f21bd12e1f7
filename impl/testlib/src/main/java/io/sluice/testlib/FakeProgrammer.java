// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Flow;
import io.sluice.api.Entry.Meter;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Installation;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Carries out declarations on a {@link FakeNetwork} at once, but those of one object in turns: the next one when the
 * last is answered. Of two objects that declare the same place of a switch the second is refused there. A new
 * programmer on an old network is a controller after its restart. Thread-safe.
 */
public final class FakeProgrammer implements FlowProgrammer {
    /** Groups and meters go in before the flows that use them, and out after them. */
    private static final Comparator<Entry> FLOWS_LAST = Comparator.comparing(Flow.class::isInstance);

    private record Spot(SwitchId switchId, Place place) { }

    private final FakeNetwork network;
    private final Map<Integer, FakeClaim> claims = new HashMap<>();
    /** Cookie of the object that declares a spot. */
    private final Map<Spot, Long> holders = new HashMap<>();
    private final Set<SwitchId> away = new HashSet<>();
    private final Set<SwitchId> silent = new HashSet<>();
    private final List<Runnable> unsaid = new ArrayList<>();

    public FakeProgrammer(final FakeNetwork network) {
        this.network = network;
    }

    @Override
    public synchronized Claim claim(final Owner owner) {
        if (claims.containsKey(owner.number())) {
            throw new IllegalStateException(owner + " has a claim already");
        }
        final var claim = new FakeClaim(owner);
        claims.put(owner.number(), claim);
        return claim;
    }

    /** Ends the controller's session with a switch, which goes on forwarding. */
    public synchronized void detach(final SwitchId switchId) {
        away.add(switchId);
    }

    /** Brings the session back, and the switch up to date. */
    public synchronized void attach(final SwitchId switchId) {
        away.remove(switchId);
        claims.values().forEach(claim -> claim.bringUpToDate(switchId));
    }

    /** Has a switch do what it is told, and answer nothing until {@link #speak}. */
    public synchronized void silence(final SwitchId switchId) {
        silent.add(switchId);
    }

    /** Has all switches answer, also to what they were asked before. */
    public void speak() {
        final List<Runnable> answers;
        synchronized (this) {
            silent.clear();
            answers = List.copyOf(unsaid);
            unsaid.clear();
        }
        answers.forEach(Runnable::run);
    }

    /** How many answers silent switches owe. */
    public synchronized int owed() {
        return unsaid.size();
    }

    /** Withdraws an object behind its owner's back. */
    public CompletionStage<Installation> withdraw(final Owner owner, final long object) {
        return claims.get(owner.number()).withdraw(object);
    }

    /** What an owner declares, object by object. */
    public synchronized Map<Long, Map<SwitchId, List<Entry>>> declared(final Owner owner) {
        return Map.copyOf(claims.get(owner.number()).objects);
    }

    /** What an owner knows to be needed, if it says so. */
    public synchronized Optional<Claim.Knowledge> knowledge(final Owner owner) {
        return claims.get(owner.number()).knowledge;
    }

    private <T> CompletionStage<T> answer(final Set<SwitchId> asked, final T said) {
        if (Collections.disjoint(asked, silent)) {
            return CompletableFuture.completedStage(said);
        }
        final var answer = new CompletableFuture<T>();
        unsaid.add(() -> answer.complete(said));
        return answer;
    }

    private final class FakeClaim implements Claim {
        private final Owner owner;
        private final Map<Long, Map<SwitchId, List<Entry>>> objects = new TreeMap<>();
        private final Map<Long, CompletionStage<Installation>> turns = new HashMap<>();
        private boolean restored;
        private Optional<Knowledge> knowledge = Optional.empty();

        FakeClaim(final Owner owner) {
            this.owner = owner;
        }

        @Override
        public CompletionStage<Installation> declare(final long object, final Map<SwitchId, List<Entry>> entries) {
            return inTurn(object, () -> replace(object, entries));
        }

        private CompletionStage<Installation> inTurn(final long object,
                final Supplier<CompletionStage<Installation>> change) {
            synchronized (FakeProgrammer.this) {
                final var last = turns.getOrDefault(object,
                    CompletableFuture.completedStage(new Installation.InPlace()));
                final var turn = last.thenCompose(answer -> change.get());
                turns.put(object, turn);
                return turn;
            }
        }

        private CompletionStage<Installation> replace(final long object, final Map<SwitchId, List<Entry>> entries) {
            synchronized (FakeProgrammer.this) {
                final long cookie = owner.cookie(object);
                final var before = objects.put(object, Map.copyOf(entries));
                final var reasons = new TreeMap<SwitchId, String>();
                entries.forEach((switchId, wanted) -> install(cookie, switchId, wanted)
                    .ifPresent(reason -> reasons.put(switchId, reason)));
                removeRest(cookie, before, entries);
                return answer(Stream.of(entries, before == null ? Map.<SwitchId, List<Entry>>of() : before)
                    .flatMap(on -> on.keySet().stream()).collect(Collectors.toSet()),
                    reasons.isEmpty() ? new Installation.InPlace() : new Installation.Pending(reasons));
            }
        }

        @Override
        public CompletionStage<Installation> withdraw(final long object) {
            return inTurn(object, () -> remove(object));
        }

        private CompletionStage<Installation> remove(final long object) {
            synchronized (FakeProgrammer.this) {
                final var before = objects.remove(object);
                removeRest(owner.cookie(object), before, Map.of());
                return answer(before == null ? Set.of() : before.keySet(), new Installation.InPlace());
            }
        }

        @Override
        public void restored() {
            synchronized (FakeProgrammer.this) {
                restored = true;
                network.switches().stream().filter(target -> !away.contains(target.id()))
                    .forEach(this::removeStale);
            }
        }

        @Override
        public CompletionStage<Map<Long, List<Entry>>> held(final SwitchId switchId) {
            return asked(switchId, target -> {
                final var objects = new TreeMap<Long, List<Entry>>();
                final var mine = target.entries().stream().filter(this::isMine).toList();
                mine.forEach(one -> {
                    if (one.entry() instanceof Flow flow) {
                        final var entries = objects.computeIfAbsent(Owner.objectOfCookie(one.cookie()),
                            object -> new ArrayList<>());
                        mine.stream().map(Installed::entry).filter(flow::uses).forEach(entries::addFirst);
                        entries.add(flow);
                    }
                });
                return objects;
            });
        }

        @Override
        public CompletionStage<Map<Long, Traffic>> traffic(final SwitchId switchId, final int tableId) {
            return asked(switchId, target -> {
                final var sums = new LinkedHashMap<Long, Traffic>();
                target.entries().stream().filter(this::isMine).forEach(one -> {
                    if (one.entry() instanceof Flow flow && flow.tableId() == tableId) {
                        sums.merge(Owner.objectOfCookie(one.cookie()), target.traffic(flow), Traffic::plus);
                    }
                });
                return sums;
            });
        }

        @Override
        public CompletionStage<Map<Integer, Metered>> metered(final SwitchId switchId) {
            return asked(switchId, target -> target.entries().stream().filter(this::isMine).map(Installed::entry)
                .filter(Meter.class::isInstance).map(Meter.class::cast)
                .collect(Collectors.toMap(meter -> Owner.meterOfNumber(meter.number()), target::metered)));
        }

        @Override
        public void compareWith(final Knowledge known) {
            synchronized (FakeProgrammer.this) {
                knowledge = Optional.of(known);
            }
        }

        @Override
        public void close() {
            synchronized (FakeProgrammer.this) {
                claims.remove(owner.number(), this);
            }
        }

        private <T> CompletionStage<T> asked(final SwitchId switchId, final Function<FakeSwitch, T> question) {
            synchronized (FakeProgrammer.this) {
                return away.contains(switchId)
                    ? CompletableFuture.failedStage(new IllegalStateException(switchId + " is not attached"))
                    : answer(Set.of(switchId), question.apply(network.at(switchId)));
            }
        }

        private void bringUpToDate(final SwitchId switchId) {
            objects.forEach((object, entries) ->
                install(owner.cookie(object), switchId, entries.getOrDefault(switchId, List.of())));
            if (restored) {
                removeStale(network.at(switchId));
            }
        }

        /** Returns what stood in the way. */
        private Optional<String> install(final long cookie, final SwitchId switchId, final List<Entry> wanted) {
            if (network.at(switchId) == null || away.contains(switchId)) {
                return Optional.of("the switch is away");
            }
            return wanted.stream().sorted(FLOWS_LAST).map(entry -> install(cookie, switchId, entry))
                .flatMap(Optional::stream).reduce((first, second) -> first);
        }

        private Optional<String> install(final long cookie, final SwitchId switchId, final Entry entry) {
            final Long holder = holders.putIfAbsent(new Spot(switchId, Place.of(entry)), cookie);
            if (holder != null && holder != cookie) {
                return Optional.of("another object declares " + entry);
            }
            final var target = network.at(switchId);
            final var wanted = new Installed(entry, entry instanceof Flow ? cookie : 0);
            final var present = target.inPlaceOf(entry);
            if (present.equals(Optional.of(wanted))) {
                return Optional.empty();
            }
            final var reply = entry instanceof Flow || present.isEmpty() ? target.add(entry, cookie)
                : target.modify(entry);
            return reply instanceof Reply.Refused(var reason) ? Optional.of(reason + ": " + entry) : Optional.empty();
        }

        private void removeRest(final long cookie, final Map<SwitchId, List<Entry>> before,
                final Map<SwitchId, List<Entry>> after) {
            if (before == null) {
                return;
            }
            before.forEach((switchId, entries) -> {
                final var kept = after.getOrDefault(switchId, List.of()).stream().map(Place::of).toList();
                entries.stream().filter(entry -> !kept.contains(Place.of(entry))).sorted(FLOWS_LAST.reversed())
                    .filter(entry -> holders.remove(new Spot(switchId, Place.of(entry)), cookie))
                    .filter(entry -> !away.contains(switchId))
                    .forEach(entry -> network.at(switchId).remove(entry));
            });
        }

        private void removeStale(final FakeSwitch target) {
            target.entries().stream().filter(this::isMine)
                .map(Installed::entry).sorted(FLOWS_LAST.reversed())
                .filter(entry -> !holders.containsKey(new Spot(target.id(), Place.of(entry))))
                .forEach(target::remove);
        }

        private boolean isMine(final Installed installed) {
            return switch (installed.entry()) {
                case Flow ignored -> Owner.ownsCookie(installed.cookie())
                    && Owner.ownerOfCookie(installed.cookie()) == owner.number();
                case Entry.FailoverGroup group -> Owner.ownsGroup(group.groupId())
                    && Owner.ownerOfGroup(group.groupId()) == owner.number();
                case Meter meter -> Owner.ownerOfMeter(meter.number()) == owner.number();
            };
        }
    }
}
