// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Installation;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.engine.Declaration.Confirmed;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A flow's way to what it should have, from what it had.
 *
 * @param number of the flow
 * @param unfit why no queues could ever hold it so
 * @param fault why queues don't hold it so
 * @param metering what is declared: a meter in place of queues that it can't have
 * @param meterNumber of its meter; empty if it has none, or if none is left
 */
record Attempt(int number, Target target, Optional<Declaration> before, Optional<String> unfit,
        Optional<String> fault, Metering metering, OptionalInt meterNumber) {
    /** With queues if the flow is to have some and these don't fail it. */
    static Attempt of(final int number, final Target target, final Optional<Declaration> before,
            final RateQueues queues, final Function<Metering, OptionalInt> meterNumbers) {
        final var wanted = target.metering();
        final var unfit = RateQueues.unfit(number, wanted);
        final var fault = unfit.or(() -> queues.fault(wanted));
        final boolean mayRemain = unfit.isEmpty() && queues.mayRemain(wanted)
            && before.filter(held -> held.metering().hasQueuesOf(wanted)).isPresent();
        final var metering = fault.isEmpty() || mayRemain ? wanted : wanted.byMeter();
        return new Attempt(number, target, before, unfit, fault, metering,
            metering.hasMeter() ? meterNumbers.apply(metering) : OptionalInt.empty());
    }

    boolean isNumbered() {
        return !metering.hasMeter() || meterNumber.isPresent();
    }

    /** Something else will be done to the packets than before. */
    boolean isChange() {
        return same().isEmpty()
            && (metering.isActing() || before.filter(held -> held.metering().isActing()).isPresent());
    }

    /** The switches that have to do something. */
    Set<SwitchId> switches() {
        return Stream.concat(before.map(Declaration::metering).stream(), Stream.of(metering))
            .map(held -> held.ingress().switchId()).collect(Collectors.toSet());
    }

    /** Whether no packets are in queues of the flow any more. */
    boolean leavesQueues(final Installation answer) {
        return isHeld(answer) && (unfit.isPresent() || !target.metering().isQueued());
    }

    /** What the flow has then. */
    Declaration outcome(final Installation answer, final LongSupplier nextVersion) {
        final var refused = refused(answer);
        final boolean isConfirmed = !reasons(answer).containsKey(metering.ingress().switchId());
        final var confirmed = !isConfirmed ? confirmed()
            : confirmed().filter(last -> last.metering().equals(metering))
                .or(() -> Optional.of(new Confirmed(metering, nextVersion.getAsLong())));
        final long ceiling = isConfirmed && isFaultless() ? metering.kilobits()
            : atMost(earlierCeiling().orElse(metering.kilobits()));
        return declaration(confirmed, ceiling, fault.or(() -> refused));
    }

    /** What the flow has as long as the switches have not answered: whoever had no meter may still have none. */
    Declaration unanswered() {
        return declaration(confirmed(), atMost(earlierCeiling().orElse(Metering.UNMETERED)),
            refused(new Installation.Pending(unconfirmed(switches()))));
    }

    /** What the switch where the packets enter now has confirmed before. */
    private Optional<Confirmed> confirmed() {
        return before.flatMap(Declaration::confirmed)
            .filter(last -> last.metering().ingress().switchId().equals(metering.ingress().switchId()));
    }

    /** The largest rate that this switch may have held, if it held the packets to any. */
    private Optional<Long> earlierCeiling() {
        return confirmed().filter(last -> last.metering().isMetered()).flatMap(last -> before)
            .map(Declaration::ceiling);
    }

    private long atMost(final long earlier) {
        return Math.max(earlier, metering.kilobits());
    }

    private Declaration declaration(final Optional<Confirmed> confirmed, final long ceiling,
            final Optional<String> pending) {
        return new Declaration(number, meterNumber, metering, confirmed, ceiling, target.links(), pending);
    }

    /** What is known of switches as long as not all have answered. */
    static Map<SwitchId, String> unconfirmed(final Set<SwitchId> switches) {
        final String reason = (switches.size() == 1 ? "it" : "it or another one") + " has not confirmed this yet";
        return switches.stream().collect(Collectors.toMap(Function.identity(), switchId -> reason));
    }

    /** What switches have not done of what was declared, by switch. */
    static Map<SwitchId, String> reasons(final Installation answer) {
        return switch (answer) {
            case Installation.InPlace done -> Map.of();
            case Installation.Pending pending -> pending.reasons();
        };
    }

    private static Optional<String> refused(final Installation answer) {
        return switch (answer) {
            case Installation.InPlace done -> Optional.empty();
            case Installation.Pending pending -> Optional.of(pending.told());
        };
    }

    private boolean isHeld(final Installation answer) {
        return answer instanceof Installation.InPlace && isFaultless();
    }

    private boolean isFaultless() {
        return fault.isEmpty() || !metering.isQueued();
    }

    private Optional<Declaration> same() {
        return before.filter(held -> held.metering().equals(metering));
    }
}
