// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.CapacityAnswer;
import io.sluice.planner.lp.CapacityPlanning;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.placement.PlacementAnswer;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.placement.PlacementTask;
import io.sluice.planner.placement.VnfPlacement;
import io.sluice.planner.plan.Change;
import java.io.PrintStream;
import java.util.Locale;

/** Capacity and placement hints as text, a line each. */
final class Provisioning {
    private static final double MILLION = 1e6;

    private final Limits limits;
    private final PrintStream out;
    private final PrintStream err;

    Provisioning(final Limits limits, final PrintStream out, final PrintStream err) {
        this.limits = limits;
        this.out = out;
        this.err = err;
    }

    /** Prints what to add to which site, {@code part} of all compute in total; returns the exit status. */
    int capacity(final Problem problem, final double part) {
        final double present = problem.sites().stream().mapToDouble(Site::cyclesPerSecond).sum();
        return switch (CapacityPlanning.solve(Instance.of(problem), Math.round(present * part), limits)) {
            case CapacityAnswer.Expanded expanded -> {
                print(problem, expanded);
                yield 0;
            }
            case CapacityAnswer.Unroutable unroutable -> {
                err.println(NoRoutes.reason(new RoutingAnswer.Unroutable(unroutable.chains(), unroutable.reason())));
                yield 1;
            }
        };
    }

    private void print(final Problem problem, final CapacityAnswer.Expanded expanded) {
        final var added = expanded.additions().ofSite();
        for (int site = 0; site < added.size(); site++) {
            if (added.get(site) > 0) {
                out.printf(Locale.ROOT, "site %s: %d cycles/s more%n", problem.siteName(site), added.get(site));
            }
        }
        out.printf(Locale.ROOT, "scale %.6g, bound %.6g, proven gap %.2e%n", expanded.value(), expanded.bound(),
            expanded.gap());
    }

    /** Prints a new site for each VNF at {@code part} of the largest traffic; returns the exit status. */
    int placement(final Problem problem, final double part) {
        final var largest = ChainRouting.solve(Instance.of(problem), Objective.SCALE, limits);
        if (!(largest instanceof Routed most)) {
            err.println(NoRoutes.reason(largest));
            return 1;
        }
        return place(problem, most.value() * part);
    }

    /** Prints a new site for each VNF at {@code scale} times the traffic; returns the exit status. */
    int place(final Problem problem, final double scale) {
        final var task = PlacementTask.forAll(new Change.Traffic(Math.round(scale * MILLION)).applyTo(problem),
            PlacementTask.NEW_SITES, Long.MAX_VALUE);
        return switch (VnfPlacement.solve(task, limits)) {
            case Placed placed -> {
                print(problem, placed);
                yield 0;
            }
            case PlacementAnswer.Overloaded overloaded -> {
                err.println(NoRoutes.reason(new RoutingAnswer.Overloaded(overloaded.scale(), overloaded.binding())));
                yield 1;
            }
            case PlacementAnswer.Unroutable unroutable -> {
                err.println(NoRoutes.reason(new RoutingAnswer.Unroutable(unroutable.chains(), unroutable.reason())));
                yield 1;
            }
            case PlacementAnswer.Missed missed -> {
                err.println("all traffic might fit, but not with any of the new sites that were tried");
                yield 1;
            }
        };
    }

    private void print(final Problem problem, final Placed placed) {
        for (final var hint : placed.hints()) {
            out.printf(Locale.ROOT, "%s at %s: %d cycles/s%n", problem.vnfs().get(hint.vnf()).name(),
                problem.siteName(hint.site()), hint.cyclesPerSecond());
        }
        out.printf(Locale.ROOT, "latency %.6g, bound %.6g, proven gap %.2e%n", placed.value(), placed.bound(),
            placed.gap());
    }
}
