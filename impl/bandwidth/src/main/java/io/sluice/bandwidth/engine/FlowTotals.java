// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.bandwidth.FlowId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What flows have sent into the network, what their meters dropped of that, and what passed: sums of counters that
 * begin anew now and then. The entry that a flow's packets meet first counts before the meter drops, and goes on when
 * the meter changes; the meter itself counts anew then, or goes on as well: OpenFlow does not say, Open vSwitch's count
 * anew.
 */
final class FlowTotals {
    /** A rate is a mean over so long at least: Open vSwitch tells of what an entry took up to half a second late. */
    private static final long MEASURED_NS = 2_000_000_000;
    private static final double NS_PER_S = 1e9;

    private final Map<FlowId, Total> totals = new HashMap<>();
    private Set<FlowId> known = Set.of();

    /**
     * What a switch had counted of a flow.
     *
     * @param number of its entry; another one than before has counted something else
     * @param sent by its entry
     * @param metering which one of the flow, as {@link Declaration} numbers them; with each the meter may count anew
     * @param dropping nothing passes that entry
     * @param metered by its meter; empty without one
     * @param queued bytes a second of queues that hold it; empty without them
     */
    record Reading(long atNs, int number, Traffic sent, long metering, boolean dropping, Optional<Metered> metered,
            OptionalLong queued) {
        private Traffic passed() {
            return dropping ? Traffic.NONE : metered.map(Metered::passed).orElse(sent);
        }

        private Traffic dropped() {
            return dropping ? sent : metered.map(Metered::dropped).orElse(Traffic.NONE);
        }

        /** If what the meter counts is nearer to what it had counted and what was sent since, than to the latter. */
        private boolean goesOnFrom(final Metered counted, final Traffic sentSince) {
            final long before = counted.entered().packets();
            return metered.filter(meter -> meter.entered().packets() - sentSince.packets() > before / 2).isPresent();
        }
    }

    /** Bytes that had passed at a time. */
    record Mark(long atNs, long passed) { }

    /**
     * What is known of a flow.
     *
     * @param rate of what passed; empty as long as its switch does not tell
     * @param mark where {@code rate} ends
     */
    record Total(Reading last, Traffic sent, Traffic passed, Traffic dropped, Optional<Bandwidth> rate, Mark mark) {
        /** The id at the switch of the meter that held the packets of this entry last. */
        OptionalLong meterId(final int number) {
            return last.number() == number
                ? last.metered().stream().mapToLong(Metered::id).findFirst() : OptionalLong.empty();
        }

        private static Total first(final Reading now) {
            return new Total(now, now.sent(), now.passed(), now.dropped(), Optional.empty(),
                new Mark(now.atNs(), now.passed().bytes()));
        }

        /** What comes after {@code now}, which is of another entry, counts. */
        private Total goingOnFrom(final Reading now) {
            return new Total(now, sent, passed, dropped, Optional.empty(), new Mark(now.atNs(), passed.bytes()));
        }

        private Total plus(final Reading now) {
            if (now.number() != last.number()) {
                return goingOnFrom(now);
            }
            final var sentSince = since(last.sent(), now.sent());
            if (now.dropping()) {
                return new Total(now, sent.plus(sentSince), passed, dropped.plus(sentSince), rate, mark).measured();
            }
            final var before = last.metered().filter(counted ->
                last.metering() == now.metering() || now.goesOnFrom(counted, sentSince));
            final var passedBefore = before.map(Metered::passed).orElse(Traffic.NONE);
            return new Total(now, sent.plus(sentSince),
                passed.plus(now.metered().map(counted -> since(passedBefore, counted.passed()))
                    .orElseGet(() -> ofQueues(sentSince, now))),
                dropped.plus(since(before.map(Metered::dropped).orElse(Traffic.NONE), now.dropped())), rate,
                mark).measured();
        }

        /** What can have passed of what was sent; queues don't say, and drop the rest sooner or later. */
        private Traffic ofQueues(final Traffic sentSince, final Reading now) {
            final double most = now.queued().stream().mapToDouble(rate -> rate * (now.atNs() - last.atNs()) / NS_PER_S)
                .findFirst().orElse(Double.MAX_VALUE);
            final double part = Math.min(1, most / Math.max(1, sentSince.bytes()));
            return part == 1 ? sentSince
                : new Traffic(Math.round(sentSince.packets() * part), Math.round(sentSince.bytes() * part));
        }

        private Total measured() {
            final long sinceNs = last.atNs() - mark.atNs();
            return sinceNs < MEASURED_NS ? this : new Total(last, sent, passed, dropped, Optional.of(
                new Bandwidth(Math.round((passed.bytes() - mark.passed()) * Byte.SIZE * NS_PER_S / sinceNs))),
                new Mark(last.atNs(), passed.bytes()));
        }

        private Total unmeasured() {
            return new Total(last, sent, passed, dropped, Optional.empty(), mark);
        }

        /** A counter that is smaller than before, of packets or of bytes, has begun anew. */
        private static Traffic since(final Traffic before, final Traffic now) {
            return now.packets() < before.packets() || now.bytes() < before.bytes() ? now : now.minus(before);
        }
    }

    /** Takes what a switch has counted of a flow; the first time all of it, and nothing of one that has gone. */
    void take(final FlowId flow, final Reading now) {
        if (known.contains(flow)) {
            final var before = totals.get(flow);
            totals.put(flow, before == null ? Total.first(now) : before.plus(now));
        }
    }

    /** The switch of a flow does not tell. */
    void lose(final FlowId flow) {
        totals.computeIfPresent(flow, (id, total) -> total.unmeasured());
    }

    Optional<Total> of(final FlowId flow) {
        return Optional.ofNullable(totals.get(flow));
    }

    /** What is known of each flow that there is. */
    Map<FlowId, Optional<Total>> all() {
        return known.stream().collect(Collectors.toMap(Function.identity(), this::of));
    }

    /** These flows there are; forgets all others. */
    void keep(final Collection<FlowId> flows) {
        known = Set.copyOf(flows);
        totals.keySet().retainAll(known);
    }
}
