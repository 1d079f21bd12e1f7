// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Underlay;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.Observer;
import io.sluice.planner.lp.RoutingAnswer;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.placement.PlacementAnswer.Hint;
import io.sluice.planner.placement.PlacementAnswer.Missed;
import io.sluice.planner.placement.PlacementAnswer.Overloaded;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.placement.PlacementAnswer.Unroutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * VNF capacity planning: at which new sites each VNF should be deployed, so that the sum (3) is least.
 * {@link PlacementSearch} finds good ones and {@link PlacementBound} proves a gap; in small tasks
 * {@link PlacementProgram} then closes it.
 */
public final class VnfPlacement {
    /** Searches at prices of the choice before. */
    private static final int MAX_ROUNDS = 4;
    /** Cycles per second that are not there. */
    private static final double ROUNDING = 1e-3;

    private final PlacementTask task;
    private final Limits limits;
    /** The runs within look at the clock, and keep their steps to themselves. */
    private final Limits inner;
    private final Underlay underlay;
    private final Candidates candidates;
    private double bound;
    private Optional<Choice> best = Optional.empty();

    private record Choice(boolean[][] isOpen, Instance instance, Routed routed) { }

    private VnfPlacement(final PlacementTask task, final Instance opened, final Limits limits, final double bound) {
        this.task = task;
        this.limits = limits;
        this.bound = bound;
        inner = limits.observedBy(Observer.NONE);
        underlay = opened.underlay();
        candidates = new Candidates(task, opened);
    }

    /** Finds new sites. Deterministic, unless it is stopped. */
    public static PlacementAnswer solve(final PlacementTask task, final Limits limits) {
        return solve(task, limits, true);
    }

    /** As {@link #solve(PlacementTask, Limits)}, by search even if the task is small. */
    static PlacementAnswer search(final PlacementTask task, final Limits limits) {
        return solve(task, limits, false);
    }

    private static PlacementAnswer solve(final PlacementTask task, final Limits limits, final boolean mayBeExact) {
        final var opened = Instance.of(task.with(task.everywhere()));
        final var relaxed = ChainRouting.solve(opened, Objective.LATENCY, limits.observedBy(Observer.NONE));
        return switch (relaxed) {
            case Routed routed -> new VnfPlacement(task, opened, limits, routed.bound())
                .run(routed, mayBeExact);
            case RoutingAnswer.Overloaded overloaded -> new Overloaded(overloaded.scale(), overloaded.binding());
            case RoutingAnswer.Unroutable unroutable -> new Unroutable(unroutable.chains(), unroutable.reason());
            case RoutingAnswer.Stopped stopped -> new Missed(stopped.bound());
        };
    }

    private PlacementAnswer run(final Routed relaxed, final boolean mayBeExact) {
        search(candidates.none(), relaxed.prices());
        best.ifPresent(this::raiseBound);
        if (mayBeExact && !isOver() && PlacementProgram.suits(candidates)) {
            decide(relaxed.value());
        }
        return best.<PlacementAnswer>map(choice -> new Placed(hints(choice), choice.routed().value(),
            Math.min(bound, choice.routed().value()), gap(choice, bound))).orElseGet(() -> new Missed(bound));
    }

    private boolean isOver() {
        return limits.isStopped().getAsBoolean()
            || best.filter(choice -> gap(choice, bound) <= limits.gap()).isPresent();
    }

    /** Takes what the program chooses. The routes for it are looked for to the end: so few take no time. */
    private void decide(final double unit) {
        PlacementProgram.solve(candidates, unit, limits).ifPresent(solution -> {
            bound = Math.max(bound, solution.bound());
            consider(solution.isOpen(), new Limits(limits.gap(), limits.threads(), () -> false));
        });
    }

    /** From the prices where all is open to those of the choice that was found, as long as that helps. */
    private void search(final boolean[][] first, final double[] firstPrices) {
        var ofRow = firstPrices;
        var isOpen = first;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            new PlacementSearch(candidates, isOpen, ofRow, limits).run();
            final var choice = consider(isOpen, inner);
            if (choice.isEmpty() || choice.orElseThrow() != best.orElseThrow()) {
                return;
            }
            ofRow = choice.orElseThrow().routed().prices();
            isOpen = isOpen.clone();
        }
    }

    private void raiseBound(final Choice choice) {
        final double value = choice.routed().value();
        final var relaxation = new PlacementBound(candidates, choice.routed().prices(), limits.threads());
        relaxation.raise(value, limits, better -> {
            bound = Math.max(bound, better);
            tell();
            return gap(choice, bound) <= limits.gap();
        });
        if (!isOver()) {
            search(relaxation.worthMost(), choice.routed().prices());
        }
    }

    /** Routes all chains with a choice; it is the best if it is better than that. Empty if it can't carry all. */
    private Optional<Choice> consider(final boolean[][] isOpen, final Limits within) {
        final var instance = Instance.of(task.with(candidates.chosen(isOpen)), underlay);
        if (!(ChainRouting.solve(instance, Objective.LATENCY, within) instanceof Routed routed)) {
            return Optional.empty();
        }
        final var choice = Optional.of(new Choice(isOpen, instance, routed));
        if (best.isEmpty() || routed.value() < best.orElseThrow().routed().value()) {
            best = choice;
        }
        tell();
        return choice;
    }

    private void tell() {
        best.ifPresent(choice -> limits.observer().at(choice.routed().value(), bound, gap(choice, bound)));
    }

    private static double gap(final Choice choice, final double bound) {
        final double value = choice.routed().value();
        return value <= 0 ? 0 : Math.max(0, (value - bound) / value);
    }

    private List<Hint> hints(final Choice choice) {
        final double[] used = Shares.ofAll(choice.instance(), choice.routed().splits());
        final var hints = new ArrayList<Hint>();
        for (final int vnf : candidates.vnfs) {
            for (int candidate = 0; candidate < candidates.sites[vnf].length; candidate++) {
                if (isUsed(choice, vnf, candidate)) {
                    final int row = candidates.row(vnf, candidate);
                    hints.add(new Hint(vnf, candidates.sites[vnf][candidate], (long) Math.max(1,
                        Math.ceil(used[row] * choice.instance().capacity(row) - ROUNDING))));
                }
            }
        }
        return hints;
    }

    /** Whether a chain goes through a candidate, be it without any load. */
    private boolean isUsed(final Choice choice, final int vnf, final int candidate) {
        return candidates.uses.get(vnf).stream().anyMatch(use ->
            choice.routed().splits().get(use.chain()).uses(use.layer(), candidates.old[vnf] + candidate));
    }

    /** Sum (3) with given new sites, by SB-LP: what a choice is compared with. Empty if not all can be carried. */
    public static Optional<Routed> route(final PlacementTask task, final Map<Integer, Set<Integer>> chosen,
            final Limits limits) {
        return ChainRouting.solve(Instance.of(task.with(chosen)), Objective.LATENCY, limits) instanceof Routed routed
            ? Optional.of(routed) : Optional.empty();
    }
}
