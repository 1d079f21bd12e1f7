// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.Owner;
import io.sluice.southbound.program.SwitchFeatures.GroupType;
import io.sluice.southbound.program.SwitchFeatures.MeterBand;
import io.sluice.southbound.program.SwitchFeatures.MeterCapability;
import io.sluice.testlib.Ability;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.Installed;
import io.sluice.testlib.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A session with a switch in software, which answers when {@code answers} runs. */
public final class FakeSession implements SwitchSession {
    private static final SwitchFeatures.Groups GROUPS = new SwitchFeatures.Groups(
        Map.of(GroupType.FAST_FAILOVER, 1000L), Set.of());
    private static final SwitchFeatures.Meters METERS = new SwitchFeatures.Meters(1000, 1, Set.of(MeterBand.DROP),
        Set.of(MeterCapability.KILOBITS, MeterCapability.PACKETS, MeterCapability.BURST));

    private final FakeSwitch target;
    private final Executor answers;
    private final List<Change> log;
    private Predicate<Change> refuses = change -> false;
    private Predicate<Entry> unreadable = entry -> false;
    private int changesToLive = Integer.MAX_VALUE;
    private int batches;
    private boolean silent;
    private boolean loses;
    private boolean losesReading;
    private int reads;

    /** Writes what it sends to {@code log}. */
    public FakeSession(final FakeSwitch target, final Executor answers, final List<Change> log) {
        this.target = target;
        this.answers = answers;
        this.log = log;
    }

    /** Ends the connection after so many more changes. */
    public void dieAfter(final int changes) {
        changesToLive = changes;
    }

    /** Answers nothing any more. */
    void fallSilent() {
        silent = true;
    }

    /** Does what the next batch says; the answer is lost. */
    void loseAnswer() {
        loses = true;
    }

    /** The next reading fails. */
    void loseReading() {
        losesReading = true;
    }

    int reads() {
        return reads;
    }

    public void refuse(final Predicate<Change> changes) {
        refuses = changes;
    }

    /** What of the switch's entries can't be read from now on. */
    void hide(final Predicate<Entry> entries) {
        unreadable = entries;
    }

    int batches() {
        return batches;
    }

    @Override
    public SwitchFeatures features() {
        return new SwitchFeatures(FlowTables.undescribed(target.tables()),
            target.can(Ability.FAILOVER_GROUPS) ? GROUPS : SwitchFeatures.Groups.NONE,
            target.can(Ability.METERS) ? METERS : SwitchFeatures.Meters.NONE, false);
    }

    @Override
    public CompletionStage<Contents> read() {
        reads++;
        return answer(() -> {
            requireAlive();
            if (losesReading) {
                losesReading = false;
                throw new IllegalStateException("no answer");
            }
            final var owned = new HashMap<EntryKey, Held>();
            target.entries().stream().filter(FakeSession::isOwned)
                .forEach(held -> owned.put(EntryKey.of(held.entry()), read(held)));
            return new Contents(owned, target.entries().size() - owned.size());
        });
    }

    @Override
    public CompletionStage<Map<EntryKey, String>> apply(final List<Change> changes) {
        batches++;
        return answer(() -> {
            final var refusals = new HashMap<EntryKey, String>();
            for (var change : changes) {
                requireAlive();
                changesToLive--;
                log.add(change);
                if (refuses.test(change)) {
                    refusals.put(change.key(), "table full");
                } else if (carryOut(change) instanceof Reply.Refused refusal) {
                    refusals.put(change.key(), refusal.reason().toString());
                }
            }
            if (loses) {
                loses = false;
                throw new IllegalStateException("no answer");
            }
            return refusals;
        });
    }

    @Override
    public CompletionStage<Map<Long, Traffic>> traffic(final int tableId) {
        return answer(() -> {
            final var sums = new HashMap<Long, Traffic>();
            target.entries().stream().filter(held -> held.entry() instanceof Entry.Flow flow
                    && flow.tableId() == tableId && isOwned(held))
                .forEach(held -> sums.merge(held.cookie(), target.traffic(held.entry()), Traffic::plus));
            return sums;
        });
    }

    @Override
    public CompletionStage<Map<Integer, Metered>> metered() {
        return answer(() -> {
            final var metered = new HashMap<Integer, Metered>();
            target.entries().stream().filter(FakeSession::isOwned).forEach(held -> {
                if (held.entry() instanceof Entry.Meter meter) {
                    metered.put(meter.number(), target.metered(meter));
                }
            });
            return metered;
        });
    }

    private <T> CompletionStage<T> answer(final Supplier<T> said) {
        return silent ? new CompletableFuture<>() : CompletableFuture.supplyAsync(said, answers);
    }

    /** True if the entry bears the mark of an owner. */
    static boolean isOwned(final Installed held) {
        return switch (held.entry()) {
            case Entry.Flow flow -> Owner.ownsCookie(held.cookie());
            case Entry.FailoverGroup group -> Owner.ownsGroup(group.groupId());
            case Entry.Meter meter -> Owner.ownerOfMeter(meter.number()) > 0;
        };
    }

    private Held read(final Installed held) {
        final var known = known(held);
        return unreadable.test(held.entry()) ? new Held.Unread(known.owner()) : known;
    }

    private static Held.Known known(final Installed held) {
        return new Held.Known(held.entry(), switch (held.entry()) {
            case Entry.Flow flow -> Owner.ownerOfCookie(held.cookie());
            case Entry.FailoverGroup group -> Owner.ownerOfGroup(group.groupId());
            case Entry.Meter meter -> Owner.ownerOfMeter(meter.number());
        }, held.cookie());
    }

    private Reply carryOut(final Change change) {
        if (change.kind() == Change.Kind.REMOVE) {
            if (change.held() instanceof Held.Known known) {
                target.remove(known.entry());
            } else {
                target.entries().stream().map(Installed::entry)
                    .filter(entry -> EntryKey.of(entry).equals(change.key())).forEach(target::remove);
            }
            return new Reply.Done();
        }
        final var held = (Held.Known) change.held();
        return change.kind() == Change.Kind.ADD || held.entry() instanceof Entry.Flow
            ? target.add(held.entry(), held.cookie()) : target.modify(held.entry());
    }

    private void requireAlive() {
        if (changesToLive <= 0) {
            throw new IllegalStateException("connection lost");
        }
    }
}
