// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Installation;
import io.sluice.api.Owner;
import io.sluice.api.PortQueues;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Makes the switches hold the meters, queues and marks of a round, and count all flows, by declaring what differs from
 * the round before. First come meters and queues that are new or fall, and marks, then those that nobody needs go, also
 * of flows that go on without, last come those that rise; and none rises beside one that has not been confirmed to have
 * fallen. So at no moment more can enter a link than before or after.
 *
 * <p>All methods run on {@code loop}, one {@link #enforce} at a time.
 */
final class Enforcer {
    private final Owner owner;
    private final Claim claim;
    private final Executor loop;
    private final RateQueues queues;
    private final FlowNumbers numbers = new FlowNumbers();
    /** Of each switch, the numbers of meters. */
    private final Map<SwitchId, FlowNumbers> meterNumbers = new HashMap<>();
    private final Map<FlowId, Meter> meters = new HashMap<>();
    /** Numbers of what an earlier controller declared, which the claim does not know of. */
    private final Set<Integer> undeclared = new HashSet<>();
    private long versions;
    /** Why no meter may rise for now. */
    private Optional<String> held = Optional.empty();

    /** What a flow should have, and the links that it passes. */
    record Target(Metering metering, Set<String> links) {
        Target at(final long kilobits) {
            return new Target(metering.at(kilobits), links);
        }
    }

    /**
     * What was declared for a flow.
     *
     * @param number of the flow
     * @param meterNumber of its meter among those of the switch
     * @param version another one for each metering that the switch has confirmed; {@link #UNCONFIRMED} before
     * @param known whether the switch has ever confirmed a meter of this number
     * @param ceiling the largest rate that the switch may hold, in kilobits per second: an earlier one, if it has not
     *     confirmed this one; a flow that had no meter, and gets none, keeps nobody from rising
     * @param pending why it is not in place
     */
    record Meter(int number, OptionalInt meterNumber, Metering metering, long version, boolean known, long ceiling,
            Set<String> links, Optional<String> pending) {
        static final long UNCONFIRMED = 0;

        private boolean isInPlace(final Target target) {
            return pending.isEmpty() && metering.equals(target.metering());
        }

        /** The switch may hold more than it should. */
        private boolean isToFall() {
            return ceiling > metering.kilobits();
        }

        /**
         * What comes before a rise to {@code target}, be it that this has to wait: a fall that is not confirmed yet, or
         * what else has changed, such as the packets, at the rate that there is.
         */
        private Optional<Target> before(final Target target) {
            final var same = target.at(metering.kilobits());
            return Optional.of(same).filter(asBefore -> isToFall()
                || !metering.isLeft() && !metering.equals(asBefore.metering()));
        }
    }

    Enforcer(final Owner owner, final Claim claim, final PortQueues ports, final Executor loop) {
        this.owner = owner;
        this.claim = claim;
        queues = new RateQueues(ports, loop);
        this.loop = loop;
    }

    /** What a flow has: a meter, a mark, or an entry that only counts. */
    Optional<Meter> meter(final FlowId flow) {
        return Optional.ofNullable(meters.get(flow));
    }

    /** What flows have on a switch. */
    Map<FlowId, Meter> on(final SwitchId switchId) {
        return meters.entrySet().stream()
            .filter(flow -> flow.getValue().metering().ingress().switchId().equals(switchId))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The switches where flows enter the network. */
    Set<SwitchId> ingresses() {
        return meters.values().stream().map(meter -> meter.metering().ingress().switchId())
            .collect(Collectors.toSet());
    }

    /**
     * Takes over what a switch holds of a flow from an earlier controller, with its numbers; it is in place when it has
     * been declared again. Leaves the numbers alone if the flow has others, from another switch.
     */
    void adopt(final FlowId flow, final int number, final OptionalInt meterNumber, final Metering metering) {
        final var ofSwitch = meterNumbers(metering);
        if (numbers.give(flow, number)) {
            if (metering.isQueued()) {
                queues.put(number, metering);
            }
            meterNumber.ifPresent(of -> ofSwitch.give(flow, of));
            meters.put(flow, new Meter(number, meterNumber, metering, ++versions, meterNumber.isPresent(),
                metering.kilobits(), Set.of(), Optional.of("it is as an earlier controller has left it")));
            undeclared.add(number);
        } else {
            avoid(metering.ingress().switchId(), number, meterNumber);
        }
    }

    /** Keeps all meters from rising for this reason, or none any more. */
    void hold(final Optional<String> reason) {
        held = reason;
    }

    /** What it has made stays for the next controller. */
    void close() {
        queues.close();
    }

    /** Leaves numbers alone, of which a switch holds something for nobody who is known. */
    void avoid(final SwitchId switchId, final int number, final OptionalInt meterNumber) {
        numbers.keep(number);
        meterNumber.ifPresent(meterNumbers(switchId)::keep);
    }

    /** Nothing more will be taken over: what else the switches hold goes. */
    void settle() {
        meters.values().forEach(this::declared);
        claim.restored();
        queues.restored();
        numbers.release();
        meterNumbers.values().forEach(FlowNumbers::release);
    }

    /**
     * Meters, marks or counts these flows and no others; completes with those whose meters or marks changed when the
     * switches have answered.
     */
    CompletionStage<Set<FlowId>> enforce(final Map<FlowId, Target> targets) {
        return queues.look().thenCompose(looked -> change(targets));
    }

    private CompletionStage<Set<FlowId>> change(final Map<FlowId, Target> targets) {
        final var falling = new LinkedHashMap<FlowId, Target>();
        final var freed = new LinkedHashMap<FlowId, Target>();
        final var rising = new LinkedHashMap<FlowId, Target>();
        targets.forEach((flow, target) -> {
            final var meter = meters.get(flow);
            if (meter == null || !meter.isInPlace(target) || queues.fault(target.metering()).isPresent()) {
                if (meter == null || target.metering().kilobits() <= meter.ceiling()) {
                    falling.put(flow, target);
                } else {
                    (target.metering().isMetered() ? rising : freed).put(flow, target);
                    meter.before(target).ifPresent(asBefore -> falling.put(flow, asBefore));
                }
            }
        });
        final var gone = othersThan(targets.keySet());
        final var changed = acting(gone);
        return withdraw(aboveFree(falling.keySet()))
            .thenComposeAsync(renumbered -> declare(falling, changed), loop)
            .thenComposeAsync(fallen -> withdraw(gone), loop)
            .thenComposeAsync(withdrawn -> declare(free(freed), changed), loop)
            .thenComposeAsync(unmetered -> declare(free(rising), changed), loop)
            .thenApply(risen -> changed);
    }

    /**
     * Gives flows what another one has of the same packets, which a switch knows once only: an application has another
     * name, say. Returns those whose meters or marks are of others now.
     *
     * @param flows all there are; no two have the same packets
     */
    Set<FlowId> handOver(final Map<FlowId, FlowConfig> flows) {
        final var holders = new HashMap<Packets, FlowId>();
        meters.forEach((flow, meter) -> holders.put(meter.metering().packets(), flow));
        final var moved = new LinkedHashSet<FlowId>();
        flows.forEach((flow, config) -> {
            final var holder = holders.get(config.packets());
            if (holder != null && !holder.equals(flow)) {
                final var both = List.of(holder, flow);
                if (both.stream().map(meters::get).anyMatch(meter -> meter != null && meter.metering().isActing())) {
                    moved.addAll(both);
                }
                exchange(flow, holder);
                holders.put(config.packets(), flow);
                meter(holder).ifPresent(meter -> holders.put(meter.metering().packets(), holder));
            }
        });
        return moved;
    }

    private void exchange(final FlowId one, final FlowId other) {
        numbers.exchange(one, other);
        meterNumbers.values().forEach(ofSwitch -> ofSwitch.exchange(one, other));
        final var meter = meters.get(one);
        final var others = meters.get(other);
        meters.compute(one, (flow, before) -> others);
        meters.compute(other, (flow, before) -> meter);
    }

    /** Leaves these flows as they are; completes with the others that had a meter or mark when they have none. */
    CompletionStage<Set<FlowId>> keep(final Collection<FlowId> flows) {
        final var gone = othersThan(flows);
        final var changed = acting(gone);
        return withdraw(gone).thenCompose(withdrawn -> queues.settle()).thenApply(settled -> changed);
    }

    /** Those whose switch, which may hold few meters, has never taken their number, though there is a smaller one. */
    private List<FlowId> aboveFree(final Collection<FlowId> flows) {
        return flows.stream().filter(flow -> meter(flow).filter(meter -> !meter.known()
            && meterNumbers(meter.metering()).isAboveFree(flow)).isPresent()).toList();
    }

    private FlowNumbers meterNumbers(final Metering metering) {
        return meterNumbers(metering.ingress().switchId());
    }

    private FlowNumbers meterNumbers(final SwitchId switchId) {
        return meterNumbers.computeIfAbsent(switchId, first -> new FlowNumbers());
    }

    /** Frees the numbers of meters that a flow does not have with this metering. */
    private void freeOthers(final FlowId flow, final Metering metering) {
        meterNumbers.forEach((switchId, ofSwitch) -> {
            if (!metering.hasMeter() || !switchId.equals(metering.ingress().switchId())) {
                ofSwitch.free(flow);
            }
        });
    }

    private List<FlowId> othersThan(final Collection<FlowId> flows) {
        return meters.keySet().stream().filter(flow -> !flows.contains(flow)).toList();
    }

    private Set<FlowId> acting(final Collection<FlowId> flows) {
        return flows.stream().filter(flow -> meters.get(flow).metering().isActing())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Those that may rise. */
    private Map<FlowId, Target> free(final Map<FlowId, Target> rising) {
        final var crowded = new HashSet<String>();
        meters.values().stream().filter(Meter::isToFall).forEach(meter -> crowded.addAll(meter.links()));
        final var free = new LinkedHashMap<FlowId, Target>();
        rising.forEach((flow, target) -> {
            final var reason = held.or(() -> Optional.of("rises when other meters on its links have fallen")
                .filter(crowding -> !Collections.disjoint(crowded, target.links())));
            reason.ifPresentOrElse(why -> leave(flow, target, why), () -> free.put(flow, target));
        });
        return free;
    }

    private void leave(final FlowId flow, final Target target, final String reason) {
        final var meter = meters.get(flow);
        meters.put(flow, new Meter(meter.number(), meter.meterNumber(), meter.metering(), meter.version(),
            meter.known(), meter.ceiling(), target.links(), Optional.of(reason)));
    }

    /** Queues come before the entries that put packets into them, and go after these. */
    private CompletionStage<?> declare(final Map<FlowId, Target> targets, final Set<FlowId> changed) {
        targets.forEach((flow, target) -> numbers.of(flow).ifPresent(number -> {
            if (target.metering().isQueued() && RateQueues.unfit(number, target.metering()).isEmpty()) {
                queues.put(number, target.metering());
            }
        }));
        return queues.settle().thenCompose(settled -> all(targets.entrySet().stream()
            .map(target -> declare(target.getKey(), target.getValue(), changed)).toList()));
    }

    private CompletionStage<?> declare(final FlowId flow, final Target target, final Set<FlowId> changed) {
        final var given = numbers.of(flow);
        if (given.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        final int number = given.getAsInt();
        final var before = Optional.ofNullable(meters.get(flow));
        final var unfit = RateQueues.unfit(number, target.metering());
        final var fault = unfit.or(() -> queues.fault(target.metering()));
        final boolean mayRemain = unfit.isEmpty() && queues.mayRemain(target.metering())
            && before.filter(meter -> meter.metering().hasQueuesOf(target.metering())).isPresent();
        final var metering = fault.isEmpty() || mayRemain ? target.metering() : target.metering().byMeter();
        final var meterNumber = metering.hasMeter() ? meterNumbers(metering).of(flow) : OptionalInt.empty();
        if (metering.hasMeter() && meterNumber.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        final var same = before.filter(meter -> meter.metering().equals(metering));
        if (same.isEmpty()
                && (metering.isActing() || before.filter(meter -> meter.metering().isActing()).isPresent())) {
            changed.add(flow);
        }
        undeclared.remove(number);
        return claim.declare(number, entries(number, meterNumber, metering)).thenAcceptAsync(answer -> {
            final var refused = refused(answer);
            final var pending = fault.or(() -> refused);
            final boolean isHeld = refused.isEmpty() && (fault.isEmpty() || !metering.isQueued());
            if (isHeld && (unfit.isPresent() || !target.metering().isQueued())) {
                queues.remove(number);
            }
            final long version = refused.isPresent() ? Meter.UNCONFIRMED : same.map(Meter::version)
                .filter(known -> known != Meter.UNCONFIRMED).orElseGet(() -> ++versions);
            final long ceiling = isHeld ? metering.kilobits() : before.map(Meter::ceiling)
                .filter(earlier -> earlier != Metering.UNMETERED)
                .map(earlier -> Math.max(earlier, metering.kilobits())).orElse(metering.kilobits());
            if (refused.isEmpty()) {
                freeOthers(flow, metering);
            }
            final boolean known = metering.hasMeter() && (refused.isEmpty()
                || before.filter(meter -> meter.known() && meter.meterNumber().equals(meterNumber)).isPresent());
            meters.put(flow, new Meter(number, meterNumber, metering, version, known, ceiling, target.links(),
                pending));
        }, loop);
    }

    /** What a flow's switch has not done of what was declared for it. */
    private static Optional<String> refused(final Installation answer) {
        return switch (answer) {
            case Installation.InPlace done -> Optional.empty();
            case Installation.Pending pending -> Optional.of(pending.told());
        };
    }

    private CompletionStage<?> withdraw(final Collection<FlowId> flows) {
        return all(flows.stream().map(flow -> declared(meters.get(flow))
            .thenCompose(meter -> claim.withdraw(meter.number()).thenRunAsync(() -> {
                meters.remove(flow);
                queues.remove(meter.number());
                numbers.free(flow);
                meterNumbers.values().forEach(ofSwitch -> ofSwitch.free(flow));
            }, loop))).toList());
    }

    /** What a flow has, declared as it is if it was only taken over, so that it can stay or be withdrawn. */
    private CompletionStage<Meter> declared(final Meter meter) {
        return undeclared.remove(meter.number())
            ? claim.declare(meter.number(), entries(meter.number(), meter.meterNumber(), meter.metering()))
                .thenApply(answer -> meter)
            : CompletableFuture.completedStage(meter);
    }

    private Map<SwitchId, List<Entry>> entries(final int number, final OptionalInt meterNumber,
            final Metering metering) {
        return Map.of(metering.ingress().switchId(), metering.entries(owner, number, meterNumber));
    }

    private static CompletionStage<?> all(final List<? extends CompletionStage<?>> stages) {
        return CompletableFuture.allOf(stages.stream().map(CompletionStage::toCompletableFuture)
            .toArray(CompletableFuture[]::new));
    }
}
