// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Obstacles;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import io.sluice.planner.lp.RoutingAnswer.Binding;
import io.sluice.planner.lp.RoutingAnswer.Overloaded;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Stopped;
import io.sluice.planner.lp.RoutingAnswer.Unroutable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * SB-LP, exact chain routing (section 4.3 of the paper), by column generation: a {@link BlockDescent} comes near, then
 * linear programs over the routes found so far give prices, at which {@link Pricing} finds the routes that are missing
 * and a bound on what any routes could reach. Deterministic, unless it is stopped.
 */
public final class ChainRouting {
    private static final int MAX_PASSES = 100;
    /** Additions to sites move slowly. */
    private static final int EXPANSION_PASSES = 600;
    private static final int PASSES_PER_BOUND = 5;
    /** Chains times rows beyond which a program with additions, where nearly all rows bind, takes minutes. */
    private static final long LARGEST_EXPANSION = 500_000;
    private static final int MAX_ROUNDS = 500;
    /** Times what may be used of a row, or the inverse of it: beyond that tolerances mean something else. */
    private static final double FAR = 100;
    /** Part of the gap that may hide in chains that are left alone in a round. */
    private static final double NEGLIGIBLE = 0.1;

    private final Instance instance;
    private final Objective objective;
    private final Relaxation relaxation;
    private final Limits limits;
    private final Pricing pricing;
    private double bound = Double.NEGATIVE_INFINITY;
    private double[] prices;
    /** The best routes so far, and their value: infinite while there are none within the capacities. */
    private List<Split> best = List.of();
    private double value = Double.POSITIVE_INFINITY;
    /** The largest share of the traffic that fits; asked for when capacities don't seem to be enough. */
    private Optional<RoutingAnswer> largest = Optional.empty();

    private ChainRouting(final Instance instance, final Objective objective, final Relaxation relaxation,
            final Limits limits) {
        this.instance = instance;
        this.objective = objective;
        this.relaxation = relaxation;
        this.limits = limits;
        pricing = new Pricing(instance, relaxation, limits.threads());
        prices = new double[instance.rows()];
    }

    /** Routes all chains of an instance. */
    public static RoutingAnswer solve(final Instance instance, final Objective objective, final Limits limits) {
        final var freely = new Pricing(instance, new Relaxation.Latency(1), limits.threads());
        final double leastLatency = freely.run(new double[instance.rows()]);
        final var unroutable = IntStream.range(0, instance.chainCount())
            .filter(chain -> !freely.isRoutable(chain)).boxed().toList();
        if (objective != Objective.CARRIED && !unroutable.isEmpty()) {
            return new Unroutable(unroutable, Obstacles.reason(instance, unroutable));
        }
        return switch (objective) {
            case LATENCY -> {
                final var routing = new ChainRouting(instance, objective,
                    new Relaxation.Latency(Math.max(leastLatency, traffic(instance))), limits);
                // prices of what is hopeless would know no end
                yield fullest(instance, freely) > FAR && routing.largestShare() < 1
                    ? routing.overloaded() : routing.run();
            }
            case SCALE -> {
                final double factor = moderate(fullest(instance, freely));
                yield new ChainRouting(instance.scaledBy(factor), objective, new Relaxation.Scale(factor), limits)
                    .run();
            }
            case CARRIED -> new ChainRouting(instance, objective, Relaxation.Carried.of(instance), limits).run();
        };
    }

    private RoutingAnswer run() {
        return run(new BlockDescent(instance, relaxation));
    }

    /** What multiplies traffic that fills the fullest row so far, so that tolerances mean what they say; mostly 1. */
    private static double moderate(final double fullest) {
        return fullest > 0 && (fullest < 1 / FAR || fullest > FAR) ? 1 / fullest : 1;
    }

    /** Use of the fullest row if all chains took what the last pricing found. */
    private static double fullest(final Instance instance, final Pricing pricing) {
        final var splits = IntStream.range(0, instance.chainCount()).mapToObj(chain -> {
            final var split = new Split();
            split.setFraction(pricing.choice(chain, split), 1);
            return split;
        }).toList();
        return Arrays.stream(Shares.ofAll(instance, splits)).max().orElse(0);
    }

    /** What (3) would be at a microsecond a stage: its unit where it is less if capacities don't matter. */
    private static double traffic(final Instance instance) {
        return IntStream.range(0, instance.chainCount()).mapToDouble(chain -> instance.chain(chain).traffic()).sum();
    }

    /**
     * The largest scale while rows grow.
     *
     * @param start routes that are good while they grow in some other way
     * @param known a bound that was proven before
     */
    static Routed expand(final Instance instance, final Expansion expansion, final Limits limits, final Routed start,
            final double known) {
        final double factor = moderate(1 / start.value());
        final var scaled = instance.scaledBy(factor);
        final var routing = new ChainRouting(scaled, Objective.SCALE, new Relaxation.Expanded(expansion, factor),
            limits);
        routing.bound = factor / known;
        routing.prices = start.prices();
        final var descent = new BlockDescent(scaled, routing.relaxation, start.splits(), start.prices());
        routing.keep(descent.trimming());
        return (Routed) routing.run(descent);
    }

    private RoutingAnswer run(final BlockDescent descent) {
        descend(descent);
        final var splits = IntStream.range(0, instance.chainCount()).mapToObj(descent::split).toArray(Split[]::new);
        if (gap(value) <= limits.gap() || limits.isStopped().getAsBoolean() || isLargeExpansion()) {
            return answer(splits, 0);
        }
        // the solver's tolerances are absolute, so what grows should be near 1
        final double unit = relaxation.growsCapacity() ? value : 1;
        try (var master = new RestrictedMaster(instance.scaledBy(1 / unit), relaxation, splits)) {
            return generateColumns(master, splits, unit);
        }
    }

    private boolean isLargeExpansion() {
        return relaxation.expansion().isPresent()
            && (long) instance.chainCount() * instance.rows() > LARGEST_EXPANSION;
    }

    /**
     * Descends until the gap is closed or, where there is no value to be had before a linear program, the bound stands
     * still. Keeps the best bound with its prices, and the best value with its routes.
     */
    private void descend(final BlockDescent descent) {
        final int passes = relaxation.expansion().isPresent() ? EXPANSION_PASSES : MAX_PASSES;
        for (int pass = 1;; pass++) {
            descent.pass();
            final boolean isLast = pass == passes || limits.isStopped().getAsBoolean();
            if (isLast || pass % PASSES_PER_BOUND == 0) {
                final double before = bound;
                raiseBound(descent.multipliers());
                keep(descent.trimming());
                tell();
                final boolean isStill = Double.isInfinite(value) && bound - before <= limits.gap() * Math.abs(bound);
                if (isLast || isStill || gap(value) <= limits.gap()) {
                    return;
                }
            }
        }
    }

    private RoutingAnswer generateColumns(final RestrictedMaster master, final Split[] splits, final double unit) {
        for (int chain = 0; chain < splits.length; chain++) {
            if (splits[chain].size() > 1) {
                master.free(chain);
            }
        }
        for (int round = 1;; round++) {
            if (!master.solve(limits.isStopped())) {
                return answer(splits, round - 1);
            }
            final double reached = master.value() * unit;
            raiseBound(master.prices());
            final boolean isWithin = Double.isFinite(keep(trimming(splits)));
            tell();
            if (gap(value) <= limits.gap()) {
                return answer(splits, round);
            }
            final boolean isLast = round == MAX_ROUNDS || limits.isStopped().getAsBoolean();
            final boolean isSettled = isLast || gap(reached) <= limits.gap()
                || addChoices(master, splits, reached * limits.gap() * NEGLIGIBLE / splits.length) == 0;
            if (isSettled && (isLast || isWithin || largestShare() < 1 || !master.raiseOverloadCost())) {
                return answer(splits, round);
            }
        }
    }

    /** Takes note of routes within the capacities, if none were better; returns their value. */
    private double keep(final Trimming trimming) {
        final double reached = trimming.value();
        if (reached < value) {
            value = reached;
            best = trimming.routes();
        }
        return reached;
    }

    private Trimming trimming(final Split[] splits) {
        return new Trimming(instance, relaxation, Arrays.asList(splits));
    }

    private double gap(final double reached) {
        return Double.isInfinite(reached) ? reached : Math.max(0, relaxation.gap(reached, bound));
    }

    /** The best routes, or what there is to say where none were within the capacities. */
    private RoutingAnswer answer(final Split[] splits, final int rounds) {
        return Double.isFinite(value) ? routed(rounds) : largestShare() < 1 ? overloaded() : stopped(splits);
    }

    private Stopped stopped(final Split[] splits) {
        final var routes = trimming(splits).routes();
        routes.forEach(Split::prune);
        double carried = 0;
        double demand = 0;
        for (int chain = 0; chain < splits.length; chain++) {
            carried += routes.get(chain).carried() * instance.chain(chain).demand();
            demand += instance.chain(chain).demand();
        }
        return new Stopped(relaxation.inUnits(bound), demand > 0 ? carried / demand : 1, routes);
    }

    private double largestShare() {
        if (largest.isEmpty()) {
            largest = Optional.of(solve(instance, Objective.SCALE, limits.observedBy(Observer.NONE)));
        }
        return largest.orElseThrow() instanceof Routed routed ? routed.bound() : Double.POSITIVE_INFINITY;
    }

    private Overloaded overloaded() {
        return new Overloaded(largestShare(), largest.map(Routed.class::cast).map(Routed::prices)
            .map(ofRow -> IntStream.range(0, ofRow.length).filter(row -> ofRow[row] > Binding.LEAST)
                .mapToObj(row -> new Binding(instance.rowName(row), ofRow[row]))
                .sorted(Comparator.comparingDouble(Binding::price).reversed()).toList()).orElseThrow());
    }

    private Routed routed(final int rounds) {
        best.forEach(Split::prune);
        final var worth = Arrays.stream(prices).map(price -> price * relaxation.priceUnit()).toArray();
        return new Routed(objective, relaxation.inUnits(value), relaxation.inUnits(bound), gap(value), best, worth,
            rounds);
    }

    private void tell() {
        limits.observer().at(relaxation.inUnits(value), relaxation.inUnits(bound), gap(value));
    }

    private void raiseBound(final double[] atPrices) {
        final double proven = pricing.run(atPrices);
        limits.observer().priced(relaxation.inUnits(proven), atPrices);
        if (proven > bound) {
            bound = proven;
            prices = atPrices;
        }
    }

    /** Adds the routes that the last pricing found better by {@code threshold} or more; returns how many. */
    private int addChoices(final RestrictedMaster master, final Split[] splits, final double threshold) {
        int added = 0;
        for (int chain = 0; chain < splits.length; chain++) {
            double cost = 0;
            for (int index = 0; index < splits[chain].size(); index++) {
                cost += splits[chain].fraction(index) * pricing.costOf(chain, splits[chain], index);
            }
            if (cost - pricing.cost(chain) > threshold) {
                final int known = splits[chain].size();
                pricing.choice(chain, splits[chain]);
                // the solver's rounding may make one seem better that it has already
                added += splits[chain].size() - known;
                if (master.isFree(chain)) {
                    master.addColumns(chain);
                } else {
                    master.free(chain);
                }
            }
        }
        return added;
    }
}
