// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import io.sluice.planner.core.Instance;
import io.sluice.planner.format.PlannerFile;
import io.sluice.planner.format.TopologyFile;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import io.sluice.planner.workload.BackboneModel;
import io.sluice.planner.workload.PaperWorkload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Arrays;
import java.util.Locale;

/**
 * Command line: a topology file and a number of chains in, exact routes with a proven gap out.
 *
 * <pre>plan TOPOLOGY [CHAINS [OBJECTIVE [PERCENT [COVERAGE_PERCENT [SEED]]]]]
 *plan NETWORK [OBJECTIVE [PERCENT]]</pre>
 *
 * <p>The chains are those of {@link PaperWorkload}. For routes their traffic is PERCENT of the largest that can be
 * carried. OBJECTIVE may also be {@code capacity}: where to add compute, PERCENT of what there is, so that all
 * traffic can grow most; or {@code placement}: a new site for each VNF, at a traffic of PERCENT. Exit status 0 with an
 * answer, 1 without, 2 if the arguments make no sense. A NETWORK is JSON of the model {@code sluice-planner} and has
 * chains of its own; for routes and placement PERCENT is of their traffic.
 */
public final class PlanRoutes {
    private static final String USAGE = "usage: plan TOPOLOGY [CHAINS [latency|scale|carried|capacity|placement "
        + "[PERCENT [COVERAGE_PERCENT [SEED]]]]]\n       plan NETWORK [OBJECTIVE [PERCENT]]";
    private static final int CHAINS = 1;
    private static final int OBJECTIVE = 2;
    private static final int LOAD = 3;
    private static final int COVERAGE = 4;
    private static final int SEED = 5;
    private static final int NETWORK_ARGUMENTS = 3;
    private static final double PERCENT = 100;

    private PlanRoutes() {
        // runs, and has no instances
    }

    /** See above. */
    public static void main(final String[] args) {
        System.exit(run(args, System.out, System.err));
    }

    static int run(final String[] args, final PrintStream out, final PrintStream err) {
        if (args.length < 1 || args.length > SEED + 1) {
            err.println(USAGE);
            return 2;
        }
        try {
            final var network = PlannerFile.read(Path.of(args[0]));
            if (network.isPresent()) {
                return plan(network.orElseThrow(), args, out, err);
            }
            final var workload = PaperWorkload.of(number(args, CHAINS, "CHAINS", 100),
                number(args, COVERAGE, "COVERAGE_PERCENT", 50), number(args, SEED, "SEED", 1));
            final var problem = workload.on(TopologyFile.read(Path.of(args[0])), BackboneModel.standard());
            final double part = load(args, LOAD, 80) / PERCENT;
            return switch (text(args, OBJECTIVE, Objective.USUAL.name())) {
                case "capacity" -> Provisioning.capacity(problem, part, out, err);
                case "placement" -> Provisioning.placement(problem, part, out, err);
                case String other -> plan(Instance.of(problem), objective(other), part, out, err);
            };
        } catch (IllegalArgumentException | ParseException e) {
            err.println(e.getMessage());
            err.println(USAGE);
            return 2;
        } catch (IOException e) {
            err.println(args[0] + " can't be read: " + e);
            return 2;
        }
    }

    /** Plans chains at PERCENT of their own traffic. */
    private static int plan(final Problem problem, final String[] args, final PrintStream out,
            final PrintStream err) {
        if (args.length > NETWORK_ARGUMENTS) {
            throw new IllegalArgumentException("a NETWORK has chains of its own: " + args[NETWORK_ARGUMENTS]
                + " says nothing");
        }
        final double part = load(args, 2, 100) / PERCENT;
        return switch (text(args, 1, Objective.USUAL.name())) {
            case "capacity" -> Provisioning.capacity(problem, part, out, err);
            case "placement" -> Provisioning.place(problem, part, out, err);
            case String other -> route(Instance.of(problem).scaledBy(part), objective(other), out, err);
        };
    }

    private static int plan(final Instance unscaled, final Objective objective, final double load,
            final PrintStream out, final PrintStream err) {
        final var largest = ChainRouting.solve(unscaled, Objective.SCALE, Limits.standard());
        if (!(largest instanceof Routed most)) {
            err.println(NoRoutes.reason(largest));
            return 1;
        }
        return route(unscaled.scaledBy(most.value() * load), objective, out, err);
    }

    private static int route(final Instance instance, final Objective objective, final PrintStream out,
            final PrintStream err) {
        final long startNs = System.nanoTime();
        final var answer = ChainRouting.solve(instance, objective, Limits.standard());
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        if (!(answer instanceof Routed routed)) {
            err.println(NoRoutes.reason(answer));
            return 1;
        }
        RouteTable.print(instance, routed, out);
        out.printf(Locale.ROOT, "%s %.6g, bound %.6g, proven gap %.2e, %.2f s%n",
            objective.name().toLowerCase(Locale.ROOT), routed.value(), routed.bound(), routed.gap(), seconds);
        return 0;
    }

    private static String text(final String[] args, final int index, final String otherwise) {
        return args.length > index ? args[index] : otherwise;
    }

    private static Objective objective(final String name) {
        return Arrays.stream(Objective.values()).filter(known -> known.name().equalsIgnoreCase(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("OBJECTIVE: " + name + " is not known"));
    }

    private static int load(final String[] args, final int index, final int otherwise) {
        final int percent = number(args, index, "PERCENT", otherwise);
        if (percent < 0) {
            throw new IllegalArgumentException("PERCENT: " + percent + " is less than nothing");
        }
        return percent;
    }

    private static int number(final String[] args, final int index, final String name, final int otherwise) {
        try {
            return args.length > index ? Integer.parseInt(args[index]) : otherwise;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + args[index] + " is not a whole number", e);
        }
    }
}
