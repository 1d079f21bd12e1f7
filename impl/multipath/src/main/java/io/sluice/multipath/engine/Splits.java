// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import io.sluice.multipath.engine.Measured.Carried;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.Split.Mode;
import io.sluice.multipath.placement.Move;
import io.sluice.multipath.placement.Weighing;
import io.sluice.multipath.steering.Hop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps each transfer from being slower over its paths than over the best single one, by what is measured:
 * <pre>
 *            carries less than one path would give
 *   SPREAD ----------------------------------------&gt; TRYING_SINGLE_PATH
 *    ^  ^                                              |           |
 *    |  +------ no gain: back to where they were ------+           | gain
 *    |                                                             v
 *    +-- after a time, slower, rerouted, rebalanced: --------- SINGLE_PATH
 *        may be spread again
 * </pre>
 * What counts is the sum of the rates of the pieces that still move: as long as it is never below what one path would
 * give them, the transfer ends no later than on that path. Each decision stands for the hold time, then for twice that
 * and so on, up to {@link #MOST_HOLDS} of them, so that what holds up a transfer at its ends is not tried for ever. A
 * single path is left before that if its flows get less by the least gain than when it was decided for, if one of them
 * went elsewhere, and for a review that disregards the hold time; a trial ends only with two reviews, or if a flow went
 * elsewhere.
 */
final class Splits {
    private static final int MOST_HOLDS = 64;
    private static final double PPM = 1e6;

    private final Environment environment;
    private final LinkHistory links;
    private final Measurements measurements;
    private final Decisions decisions;
    private final PlacedFlows flows;
    private final Map<String, State> states = new TreeMap<>();

    /**
     * A transfer.
     *
     * @param holds for how many hold times the next decision stands
     * @param untilNs when the mode may change, unless it is a trial
     */
    private record State(Split split, int holds, long untilNs, Trial trial) { }

    /**
     * A trial under way, or the one that led to the single path.
     *
     * @param yields what the links of the paths before it were seen to yield
     */
    private record Trial(List<Tried> flows, Map<PortId, Double> yields) {
        static final Trial NONE = new Trial(List.of(), Map.of());
    }

    /**
     * A flow on trial, or on the single path.
     *
     * @param before where it was
     * @param rate what is to be compared with: what it carried before the trial, later what it did during it
     * @param moves how often it will have moved as long as it stays
     */
    private record Tried(FlowState before, Bandwidth rate, int moves) {
        long id() {
            return before.record().id();
        }

        Tried carrying(final Bandwidth newRate) {
            return new Tried(before, newRate, moves);
        }
    }

    Splits(final Environment environment, final LinkHistory links, final Measurements measurements,
            final Decisions decisions, final PlacedFlows flows) {
        this.environment = environment;
        this.links = links;
        this.measurements = measurements;
        this.decisions = decisions;
        this.flows = flows;
    }

    /** Weighs, tries and judges by what was {@code measured}; returns how many flows it moved. */
    int review(final Map<String, Measured> measured, final FabricSnapshot snapshot, final boolean regardless) {
        states.keySet().removeIf(name -> measurements.flowsOf(name).isEmpty());
        follow();
        if (regardless) {
            states.values().stream().filter(state -> state.split().mode() == Mode.SINGLE_PATH).toList()
                .forEach(this::leave);
        }
        return measured.entrySet().stream().mapToInt(transfer -> {
            final var mode = Optional.ofNullable(states.get(transfer.getKey())).map(State::split).map(Split::mode);
            return switch (mode.orElse(Mode.SPREAD)) {
                case SPREAD -> weigh(transfer.getKey(), transfer.getValue(), snapshot, regardless);
                case TRYING_SINGLE_PATH -> judge(states.get(transfer.getKey()), transfer.getValue());
                case SINGLE_PATH -> stay(states.get(transfer.getKey()), transfer.getValue());
            };
        }).sum();
    }

    /** Takes transfers for spread of which a flow left the single path, or the trial. */
    void follow() {
        states.values().stream().filter(state -> {
            final var moves = measurements.flowsOf(state.split().transfer()).stream()
                .collect(Collectors.toMap(flow -> flow.record().id(), FlowState::moves));
            return state.trial().flows().stream().anyMatch(one ->
                moves.getOrDefault(one.id(), one.moves()) != one.moves());
        }).toList().forEach(this::leave);
    }

    /** The flows that are on one path, or on trial there: they are not to be moved for a better one. */
    Set<Long> pinned() {
        return states.values().stream().map(State::split).filter(split -> split.mode() != Mode.SPREAD)
            .flatMap(split -> measurements.flowsOf(split.transfer()).stream()).map(flow -> flow.record().id())
            .collect(Collectors.toSet());
    }

    /** The transfers that were measured. */
    Collection<Split> all() {
        return states.values().stream().map(State::split).toList();
    }

    private int weigh(final String name, final Measured measured, final FabricSnapshot snapshot,
            final boolean regardless) {
        if (measured.flows().isEmpty()) {
            return 0;
        }
        final var moves = decisions.together(measured, measurements.wanting(measured.states(), snapshot));
        final var single = sum(moves.stream().map(Move::after));
        final var before = Optional.ofNullable(states.get(name));
        final var state = new State(new Split(name, Mode.SPREAD, measured.total(), single,
            before.map(known -> known.split().since()).orElseGet(this::now)),
            before.map(State::holds).orElse(1), before.map(State::untilNs).orElse(nowNs()), Trial.NONE);
        put(state);
        final boolean due = regardless || nowNs() >= state.untilNs() && measured.states().stream()
            .allMatch(flow -> nowNs() - flow.movedNs() >= decisions.config().placer().holdNs());
        return due && gains(measured.total(), single) ? gather(state, measured, moves) : 0;
    }

    /** Takes the flows to one path, unless they are there already. */
    private int gather(final State state, final Measured measured, final List<Move> ways) {
        final var tried = new ArrayList<Tried>();
        int moved = 0;
        for (int i = 0; i < ways.size(); i++) {
            final var carried = measured.flows().get(i);
            final var flow = carried.flow();
            final boolean moves = !isOn(flow, ways.get(i)) && flows.move(flow, Reviews.assignment(ways.get(i)
                .because("its transfer carried " + measured.total() + " over several paths"), flow),
                MoveCause.SINGLE_PATH);
            moved += moves ? 1 : 0;
            tried.add(new Tried(flow, carried.rate(), flow.moves() + (moves ? 1 : 0)));
        }
        if (moved > 0) {
            enter(new State(state.split().entering(Mode.TRYING_SINGLE_PATH, measured.total(), now()), state.holds(),
                state.untilNs(), new Trial(tried, measured.yields())));
        }
        return moved;
    }

    /** Keeps the single path if it is faster, for the pieces that still move or have no room for more. */
    private int judge(final State state, final Measured measured) {
        final var now = measurements.flowsOf(state.split().transfer()).stream()
            .collect(Collectors.toMap(flow -> flow.record().id(), flow -> flow));
        final var tried = state.trial().flows().stream().filter(one -> now.containsKey(one.id())).toList();
        final var carrying = carrying(state, measured);
        final var after = sum(carrying.stream().map(Tried::rate));
        final boolean faster = carrying.isEmpty() || gains(before(state, measured), after);
        if (!carrying.isEmpty() && faster) {
            learn(state, after, now.values());
        }
        decide(faster ? Mode.SINGLE_PATH : Mode.SPREAD, state, after,
            faster ? new Trial(carrying, Map.of()) : Trial.NONE);
        return faster ? 0 : tried.stream().mapToInt(one -> takeBack(one, now.get(one.id()), after)).sum();
    }

    /** The flows on trial that still move, with what they carry now. */
    private static List<Tried> carrying(final State state, final Measured measured) {
        final var rates = measured.flows().stream().collect(Collectors.toMap(carried -> carried.flow().record().id(),
            Carried::rate));
        return state.trial().flows().stream().filter(one -> rates.containsKey(one.id()))
            .map(one -> one.carrying(rates.get(one.id()))).toList();
    }

    /** What those of them that still move carried before. */
    private static Bandwidth before(final State state, final Measured measured) {
        final var moving = carrying(state, measured).stream().map(Tried::id).collect(Collectors.toSet());
        return sum(state.trial().flows().stream().filter(one -> moving.contains(one.id())).map(Tried::rate));
    }

    /** Holds against the links that were left what they yielded, beside what the single path did. */
    private void learn(final State state, final Bandwidth after, final Collection<FlowState> now) {
        final var yields = new HashMap<>(state.trial().yields());
        now.forEach(flow -> Stream.of(flow.forward(), flow.backward()).flatMap(path -> path.links().stream())
            .forEach(link -> yields.remove(link.source())));
        final double reference = Math.min(1, (double) after.bitsPerSecond()
            / Math.max(1, state.split().singlePath().bitsPerSecond()));
        yields.replaceAll((link, share) -> Math.min(1, share / reference));
        decisions.confirm(yields);
    }

    private int stay(final State state, final Measured measured) {
        final var now = new State(state.split().measuredAt(measured.total()), state.holds(), state.untilNs(),
            state.trial());
        if (nowNs() < state.untilNs()
                && !gains(sum(carrying(state, measured).stream().map(Tried::rate)), before(state, measured))) {
            put(now);
        } else {
            leave(now);
        }
        return 0;
    }

    /** Lets the flows of a transfer be spread again. */
    private void leave(final State state) {
        enter(new State(state.split().entering(Mode.SPREAD, state.split().measured(), now()), state.holds(), nowNs(),
            Trial.NONE));
    }

    /** Takes a flow back to where it was, if there is still a way. */
    private int takeBack(final Tried tried, final FlowState flow, final Bandwidth together) {
        final var before = tried.before();
        if (flow.moves() == before.moves() || links.isBroken(before.forward()) || links.isBroken(before.backward())) {
            return 0;
        }
        final var move = new Move(tried.id(), before.forward(), before.backward(), flow.why().expectedRate(),
            before.why().expectedRate(), Optional.empty(),
            Weighing.told(1, "its transfer carried no more than " + together + " over one path"));
        return flows.move(flow, Reviews.assignment(move, flow), MoveCause.SPREAD_AGAIN) ? 1 : 0;
    }

    /** Ends a trial with a decision that stands for a time; the next one stands twice as long. */
    private void decide(final Mode mode, final State state, final Bandwidth measured, final Trial trial) {
        enter(new State(state.split().entering(mode, measured, now()), Math.min(MOST_HOLDS, 2 * state.holds()),
            nowNs() + state.holds() * decisions.config().placer().holdNs(), trial));
    }

    private void enter(final State state) {
        put(state);
        environment.events().splitChanged(state.split());
    }

    private void put(final State state) {
        states.put(state.split().transfer(), state);
    }

    private boolean gains(final Bandwidth before, final Bandwidth after) {
        return after.bitsPerSecond() > before.bitsPerSecond()
            * (1 + decisions.config().placer().leastGainPpm() / PPM);
    }

    private static boolean isOn(final FlowState flow, final Move move) {
        return hops(flow.forward()).equals(hops(move.forward())) && hops(flow.backward()).equals(hops(move.backward()));
    }

    static List<Hop> hops(final Path path) {
        return path.links().stream().map(Hop::of).toList();
    }

    private static Bandwidth sum(final Stream<Bandwidth> rates) {
        return rates.reduce(Bandwidth.ZERO, Bandwidth::plus);
    }

    private Instant now() {
        return environment.clock().instant();
    }

    private long nowNs() {
        return environment.nowNs().getAsLong();
    }
}
