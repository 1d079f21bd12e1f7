// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Installation;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.Declaration.Confirmed;
import io.sluice.bandwidth.engine.Environment.Switches;
import io.sluice.bandwidth.engine.Patience.Question;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes the switches hold the meters, queues and marks of a round, and count all flows, by declaring what differs from
 * the round before. First come meters and queues that are new or fall, and marks, then those that nobody needs go, also
 * of flows that go on without, last come those that rise; and none rises beside one that has not been confirmed to have
 * fallen. So at no moment more can enter a link than before or after. A switch that takes its time holds up none of the
 * others: what it has not confirmed counts as pending until it does.
 *
 * <p>All methods run on {@code loop}, one {@link #enforce} at a time.
 */
final class Enforcer {
    private final Owner owner;
    private final Claim claim;
    private final Executor loop;
    private final Patience patience;
    private final Runnable late;
    private final RateQueues queues;
    private final FlowNumbers numbers = new FlowNumbers();
    /** Of each switch, the numbers of meters. */
    private final Map<SwitchId, FlowNumbers> meterNumbers = new HashMap<>();
    private final Map<FlowId, Declaration> declarations = new HashMap<>();
    /** Numbers of flows for which switches still have to answer; they are asked nothing more for these until then. */
    private final Set<Integer> unanswered = new HashSet<>();
    /** Those for which no number is left, or none for their meters. */
    private final Set<FlowId> numberless = new HashSet<>();
    /** Numbers of what an earlier controller declared, which the claim does not know of. */
    private final Set<Integer> undeclared = new HashSet<>();
    private long versions;
    /** Why no meter may rise for now. */
    private Optional<String> holding = Optional.empty();

    /**
     * Has declared nothing.
     *
     * @param late what is to be done when a switch has done what it was asked, that was no longer waited for
     */
    Enforcer(final Owner owner, final Switches switches, final Patience patience, final Executor loop,
            final Runnable late) {
        this.owner = owner;
        claim = switches.claim();
        this.patience = patience;
        queues = new RateQueues(switches.queues(), loop);
        this.loop = loop;
        this.late = late;
    }

    /** What a flow has: a meter, a mark, or an entry that only counts. */
    Optional<Declaration> declaration(final FlowId flow) {
        return Optional.ofNullable(declarations.get(flow));
    }

    /** Whether a flow gets nothing because no number is left for it, or for its meter. */
    boolean isNumberless(final FlowId flow) {
        return numberless.contains(flow);
    }

    /** What flows have on a switch. */
    Map<FlowId, Declaration> on(final SwitchId switchId) {
        return declarations.entrySet().stream()
            .filter(flow -> flow.getValue().metering().ingress().switchId().equals(switchId))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The switches where flows enter the network. */
    Set<SwitchId> ingresses() {
        return declarations.values().stream().map(held -> held.metering().ingress().switchId())
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
            declarations.put(flow, new Declaration(number, meterNumber, metering,
                Optional.of(new Confirmed(metering, ++versions)), metering.kilobits(), Set.of(),
                Optional.of("it is as an earlier controller has left it")));
            undeclared.add(number);
        } else {
            avoid(metering.ingress().switchId(), number, meterNumber);
        }
    }

    /** Keeps all meters from rising for this reason, or none any more. */
    void hold(final Optional<String> reason) {
        holding = reason;
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
        declarations.values().forEach(this::redeclared);
        claim.restored();
        queues.restored();
        numbers.release();
        meterNumbers.values().forEach(FlowNumbers::release);
    }

    /**
     * Meters, marks or counts these flows and no others; completes with those whose meters or marks changed when the
     * switches have answered, as far as they do in time.
     */
    CompletionStage<Set<FlowId>> enforce(final Map<FlowId, Target> targets) {
        return queues.look().thenCompose(looked -> change(targets));
    }

    private CompletionStage<Set<FlowId>> change(final Map<FlowId, Target> targets) {
        numberless.retainAll(targets.keySet());
        final var falling = new LinkedHashMap<FlowId, Target>();
        final var freed = new LinkedHashMap<FlowId, Target>();
        final var rising = new LinkedHashMap<FlowId, Target>();
        targets.forEach((flow, target) -> {
            final var held = declarations.get(flow);
            if (!isUnanswered(flow) && (held == null || !held.isInPlace(target)
                    || queues.fault(target.metering()).isPresent())) {
                if (held == null || target.metering().kilobits() <= held.ceiling()) {
                    falling.put(flow, target);
                } else {
                    (target.metering().isMetered() ? rising : freed).put(flow, target);
                    held.before(target).ifPresent(asBefore -> falling.put(flow, asBefore));
                }
            }
        });
        final var gone = othersThan(targets.keySet());
        final var changed = acting(gone);
        return withdraw(aboveFree(falling.keySet()))
            .thenComposeAsync(renumbered -> declare(falling, changed), loop)
            .thenComposeAsync(fallen -> withdraw(gone), loop)
            .thenComposeAsync(withdrawn -> declare(free(freed, targets), changed), loop)
            .thenComposeAsync(unmetered -> declare(free(rising, targets), changed), loop)
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
        declarations.forEach((flow, held) -> holders.put(held.metering().packets(), flow));
        final var moved = new LinkedHashSet<FlowId>();
        flows.forEach((flow, config) -> {
            final var holder = holders.get(config.packets());
            if (holder != null && !holder.equals(flow)) {
                final var both = List.of(holder, flow);
                if (both.stream().map(declarations::get).filter(Objects::nonNull)
                        .anyMatch(held -> held.metering().isActing())) {
                    moved.addAll(both);
                }
                exchange(flow, holder);
                holders.put(config.packets(), flow);
                declaration(holder).ifPresent(held -> holders.put(held.metering().packets(), holder));
            }
        });
        return moved;
    }

    private void exchange(final FlowId one, final FlowId other) {
        numbers.exchange(one, other);
        meterNumbers.values().forEach(ofSwitch -> ofSwitch.exchange(one, other));
        final var held = declarations.get(one);
        final var others = declarations.get(other);
        declarations.compute(one, (flow, before) -> others);
        declarations.compute(other, (flow, before) -> held);
    }

    /** Leaves these flows as they are; completes with the others that had a meter or mark, when these are withdrawn. */
    CompletionStage<Set<FlowId>> keep(final Collection<FlowId> flows) {
        final var gone = othersThan(flows);
        final var changed = acting(gone);
        return withdraw(gone).thenCompose(withdrawn -> queues.settle()).thenApply(settled -> changed);
    }

    /** Those whose switch, which may hold few meters, has never taken their number, though there is a smaller one. */
    private List<FlowId> aboveFree(final Collection<FlowId> flows) {
        return flows.stream().filter(flow -> declaration(flow).filter(held -> !held.isMeterKnown()
            && meterNumbers(held.metering()).isAboveFree(flow)).isPresent()).toList();
    }

    private FlowNumbers meterNumbers(final Metering metering) {
        return meterNumbers(metering.ingress().switchId());
    }

    private FlowNumbers meterNumbers(final SwitchId switchId) {
        return meterNumbers.computeIfAbsent(switchId, first -> new FlowNumbers());
    }

    /** Frees the numbers of meters that a flow does not have with this metering, but on switches that may hold them. */
    private void freeOthers(final FlowId flow, final Metering metering, final Set<SwitchId> holders) {
        meterNumbers.forEach((switchId, ofSwitch) -> {
            final boolean isIts = metering.hasMeter() && switchId.equals(metering.ingress().switchId());
            if (!isIts && !holders.contains(switchId)) {
                ofSwitch.free(flow);
            }
        });
    }

    private boolean isUnanswered(final FlowId flow) {
        return numbers.known(flow).filter(unanswered::contains).isPresent();
    }

    private List<FlowId> othersThan(final Collection<FlowId> flows) {
        return declarations.keySet().stream().filter(flow -> !flows.contains(flow) && !isUnanswered(flow)).toList();
    }

    private Set<FlowId> acting(final Collection<FlowId> flows) {
        return flows.stream().filter(flow -> declarations.get(flow).metering().isActing())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Those that may rise, beside all that there are. */
    private Map<FlowId, Target> free(final Map<FlowId, Target> rising, final Map<FlowId, Target> all) {
        final var crowded = new HashSet<String>();
        all.forEach((flow, target) -> declaration(flow).filter(held -> held.isToFall(target))
            .ifPresent(held -> crowded.addAll(target.links())));
        final var free = new LinkedHashMap<FlowId, Target>();
        rising.forEach((flow, target) -> {
            final var reason = holding.or(() -> Optional.of("rises when other meters on its links have fallen")
                .filter(crowding -> !Collections.disjoint(crowded, target.links())));
            reason.filter(why -> !isUnanswered(flow)).ifPresentOrElse(why -> declarations.computeIfPresent(flow,
                (kept, held) -> held.kept(target, why)), () -> free.put(flow, target));
        });
        return free;
    }

    /** Queues come before the entries that put packets into them, and go after these. */
    private CompletionStage<?> declare(final Map<FlowId, Target> targets, final Set<FlowId> changed) {
        final var open = new LinkedHashMap<>(targets);
        open.keySet().removeIf(this::isUnanswered);
        open.forEach((flow, target) -> numbers.of(flow).ifPresent(number -> {
            if (target.metering().isQueued() && RateQueues.unfit(number, target.metering()).isEmpty()) {
                queues.put(number, target.metering());
            }
        }));
        return queues.settle().thenCompose(settled -> patience.await(open.entrySet().stream()
            .flatMap(target -> declare(target.getKey(), target.getValue(), changed).stream()).toList()));
    }

    private Optional<Question> declare(final FlowId flow, final Target target, final Set<FlowId> changed) {
        final var before = declaration(flow);
        final var given = numbers.of(flow).stream().mapToObj(number -> Attempt.of(number, target, before, queues,
            metering -> meterNumbers(metering).of(flow))).filter(Attempt::isNumbered).findFirst();
        if (given.isEmpty()) {
            numberless.add(flow);
            return Optional.empty();
        }
        numberless.remove(flow);
        final var attempt = given.orElseThrow();
        if (attempt.isChange()) {
            changed.add(flow);
        }
        undeclared.remove(attempt.number());
        return Optional.of(asked(attempt.number(), attempt.switches(), claim.declare(attempt.number(),
                entries(attempt.number(), attempt.meterNumber(), attempt.metering())),
            (holder, answer) -> take(holder, attempt, answer), attempt::unanswered));
    }

    private void take(final FlowId flow, final Attempt attempt, final Installation answer) {
        if (attempt.leavesQueues(answer)) {
            queues.remove(attempt.number());
        }
        freeOthers(flow, attempt.metering(), Attempt.reasons(answer).keySet());
        declarations.put(flow, attempt.outcome(answer, () -> ++versions));
    }

    /**
     * Has the answer taken, also a late one, for the flow that has the number by then.
     *
     * @param overdue what that flow has when there is none in time
     */
    private Question asked(final int number, final Set<SwitchId> switches, final CompletionStage<Installation> answer,
            final BiConsumer<FlowId, Installation> taken, final Supplier<Declaration> overdue) {
        unanswered.add(number);
        final var answered = answer.thenApplyAsync(said -> {
            unanswered.remove(number);
            taken.accept(holder(number), said);
            return said;
        }, loop).toCompletableFuture();
        return new Question(switches, answered, () -> declarations.put(holder(number), overdue.get()))
            .orLate(() -> answered.join() instanceof Installation.InPlace || numbers.holder(number).isEmpty(), late);
    }

    private FlowId holder(final int number) {
        return numbers.holder(number).orElseThrow();
    }

    private CompletionStage<Void> withdraw(final Collection<FlowId> flows) {
        return patience.await(flows.stream().map(flow -> {
            final var held = declarations.get(flow);
            final var switchId = held.metering().ingress().switchId();
            return asked(held.number(), Set.of(switchId),
                redeclared(held).thenCompose(declared -> claim.withdraw(held.number())),
                (holder, withdrawn) -> forget(holder, held.number()),
                () -> held.released(switchId + " has not confirmed yet that it holds nothing of it any more"));
        }).toList());
    }

    private void forget(final FlowId flow, final int number) {
        declarations.remove(flow);
        queues.remove(number);
        numbers.free(flow);
        meterNumbers.values().forEach(ofSwitch -> ofSwitch.free(flow));
    }

    /** What a flow has, declared as it is if it was only taken over, so that it can stay or be withdrawn. */
    private CompletionStage<Declaration> redeclared(final Declaration held) {
        return undeclared.remove(held.number())
            ? claim.declare(held.number(), entries(held.number(), held.meterNumber(), held.metering()))
                .thenApply(answer -> held)
            : CompletableFuture.completedStage(held);
    }

    private Map<SwitchId, List<Entry>> entries(final int number, final OptionalInt meterNumber,
            final Metering metering) {
        return Map.of(metering.ingress().switchId(), metering.entries(owner, number, meterNumber));
    }
}
