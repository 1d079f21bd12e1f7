// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import io.sluice.planner.core.Instance;
import io.sluice.planner.format.PlannerFile;
import io.sluice.planner.format.TopologyFile;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Stopped;
import io.sluice.planner.model.Problem;
import io.sluice.planner.workload.BackboneModel;
import io.sluice.planner.workload.PaperWorkload;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * Command line: a topology file and a number of chains in, exact routes with a proven gap out. {@link CommandLine#help}
 * tells what it takes; the chains are those of {@link PaperWorkload}.
 */
public final class PlanRoutes {
    private static final int CHAINS = 1;
    private static final int OBJECTIVE = 2;
    private static final int LOAD = 3;
    private static final int COVERAGE = 4;
    private static final int SEED = 5;
    private static final int NETWORK_WORDS = 3;
    private static final double PERCENT = 100;
    private static final int MIB_BITS = 20;

    private final CommandLine line;
    private final Limits limits;
    private final PrintStream out;
    private final PrintStream err;

    private PlanRoutes(final CommandLine line, final Limits limits, final PrintStream out, final PrintStream err) {
        this.line = line;
        this.limits = limits;
        this.out = out;
        this.err = err;
    }

    /** See above. An interrupt ends the search, and the process once the best found is printed. */
    public static void main(final String[] args) {
        final var isInterrupted = new AtomicBoolean();
        final var ended = new Semaphore(0);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            isInterrupted.set(true);
            ended.acquireUninterruptibly();
        }, "plan-interrupt"));
        final int status;
        try {
            status = run(args, isInterrupted::get, System.out, System.err);
        } finally {
            ended.release();
        }
        System.exit(status);
    }

    static int run(final String[] args, final BooleanSupplier isInterrupted, final PrintStream out,
            final PrintStream err) {
        final long startNs = System.nanoTime();
        try {
            final var line = CommandLine.of(args);
            if (line.isHelp()) {
                out.println(CommandLine.help());
                return 0;
            }
            if (line.words().isEmpty() || line.words().size() > SEED + 1) {
                err.println(CommandLine.USAGE);
                return 2;
            }
            final long limitNs = TimeUnit.SECONDS.toNanos(line.timeLimitS());
            return new PlanRoutes(line, Limits.until(() -> isInterrupted.getAsBoolean()
                || System.nanoTime() - startNs >= limitNs), out, err).plan();
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println(CommandLine.USAGE);
            return 2;
        } catch (ParseException e) {
            err.println(e.getMessage());
            return 2;
        } catch (OutOfMemoryError e) {
            err.println("more memory is needed than there is (" + (Runtime.getRuntime().maxMemory() >> MIB_BITS)
                + " MiB): plan fewer chains, or set JAVA_TOOL_OPTIONS=-Xmx8g or so");
            return 1;
        }
    }

    private int plan() throws ParseException {
        final var file = Path.of(line.words().get(0));
        try {
            final var network = PlannerFile.read(file);
            if (network.isPresent()) {
                return plan(network.orElseThrow());
            }
            return planWorkload(PaperWorkload.of(line.number(CHAINS, "CHAINS", 100),
                line.number(COVERAGE, "COVERAGE_PERCENT", 50), line.number(SEED, "SEED", 1))
                .on(TopologyFile.read(file), BackboneModel.standard()));
        } catch (IOException e) {
            err.println(file + " can't be read: " + cause(e));
            return 2;
        }
    }

    private static String cause(final IOException error) {
        return switch (error) {
            case NoSuchFileException none -> "there is no file " + none.getFile();
            case AccessDeniedException denied -> denied.getFile() + " is not for this user";
            case CharacterCodingException binary -> "it is not text in UTF-8";
            default -> error.getMessage();
        };
    }

    /** Plans made-up chains at PERCENT of the largest traffic. */
    private int planWorkload(final Problem problem) {
        final double part = line.percent(LOAD, 80) / PERCENT;
        return switch (line.text(OBJECTIVE, Objective.USUAL.name())) {
            case "capacity" -> provisioning().capacity(problem, part);
            case "placement" -> provisioning().placement(problem, part);
            case String other -> plan(Instance.of(problem), CommandLine.objective(other), part);
        };
    }

    /** Plans chains at PERCENT of their own traffic. */
    private int plan(final Problem problem) {
        if (line.words().size() > NETWORK_WORDS) {
            throw new IllegalArgumentException("a NETWORK has chains of its own: " + line.words().get(NETWORK_WORDS)
                + " says nothing");
        }
        final double part = line.percent(2, 100) / PERCENT;
        return switch (line.text(1, Objective.USUAL.name())) {
            case "capacity" -> provisioning().capacity(problem, part);
            case "placement" -> provisioning().place(problem, part);
            case String other -> route(Instance.of(problem).scaledBy(part), CommandLine.objective(other));
        };
    }

    private Provisioning provisioning() {
        return new Provisioning(limits, out, err);
    }

    private int plan(final Instance unscaled, final Objective objective, final double load) {
        final var largest = ChainRouting.solve(unscaled, Objective.SCALE, limits);
        if (!(largest instanceof Routed most)) {
            err.println(NoRoutes.reason(largest));
            return 1;
        }
        return route(unscaled.scaledBy(most.value() * load), objective);
    }

    private int route(final Instance instance, final Objective objective) {
        final long startNs = System.nanoTime();
        final var answer = ChainRouting.solve(instance, objective, limits);
        final double seconds = (System.nanoTime() - startNs) / 1e9;
        if (!(answer instanceof Routed routed)) {
            if (answer instanceof Stopped stopped) {
                RouteTable.print(instance, stopped.splits(), out);
            }
            err.println(NoRoutes.reason(answer));
            return 1;
        }
        RouteTable.print(instance, routed.splits(), out);
        RouteTable.print(instance, routed.prices(), out);
        out.printf(Locale.ROOT, "%s %.6g, bound %.6g, proven gap %.2e, %.2f s%n",
            objective.name().toLowerCase(Locale.ROOT), routed.value(), routed.bound(), routed.gap(), seconds);
        return 0;
    }
}
