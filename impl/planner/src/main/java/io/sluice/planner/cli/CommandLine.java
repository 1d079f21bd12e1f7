// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import io.sluice.planner.lp.Objective;
import io.sluice.planner.run.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What was asked for.
 *
 * @param words in their order, the file first
 * @param isHelp whether only help was asked for
 * @param timeLimitS after that the best found is the answer, in seconds
 */
record CommandLine(List<String> words, boolean isHelp, long timeLimitS) {
    static final String USAGE = """
        usage: plan [--time-limit SECONDS] TOPOLOGY [CHAINS [OBJECTIVE [PERCENT [COVERAGE_PERCENT [SEED]]]]]
               plan [--time-limit SECONDS] NETWORK [OBJECTIVE [PERCENT]]
               plan --help""";
    private static final String TIME_LIMIT = "--time-limit";
    private static final long MAX_TIME_LIMIT_S = 86_400;

    CommandLine {
        words = List.copyOf(words);
        if (timeLimitS < 1 || timeLimitS > MAX_TIME_LIMIT_S) {
            throw new IllegalArgumentException(TIME_LIMIT + ": " + timeLimitS + " is not in 1.." + MAX_TIME_LIMIT_S
                + " seconds");
        }
    }

    /** Reads arguments; those that begin with two hyphens are options and may stand anywhere. */
    static CommandLine of(final String... args) {
        final var words = new ArrayList<String>();
        boolean isHelp = false;
        long timeLimitS = Run.TIME_LIMIT_S;
        for (final var each = List.of(args).iterator(); each.hasNext();) {
            final var arg = each.next();
            if (arg.equals("--help") || arg.equals("-h")) {
                isHelp = true;
            } else if (arg.equals(TIME_LIMIT)) {
                timeLimitS = integer(TIME_LIMIT, each.hasNext() ? each.next() : "");
            } else if (arg.startsWith("--")) {
                throw new IllegalArgumentException(arg + ": there is no such option");
            } else {
                words.add(arg);
            }
        }
        return new CommandLine(words, isHelp, timeLimitS);
    }

    /** All that there is to know about the arguments. */
    static String help() {
        return USAGE + """


            Plans service chains and prints their routes, or what to add, with a gap that is proven.

            TOPOLOGY          file of topohub (.json), REPETITA (.graph), Topology Zoo (.graphml) or SNDlib (.txt)
            CHAINS            how many chains there are; they and what the file lacks are made by seed (default 100)
            OBJECTIVE         latency (default), scale, carried: routes of least latency, for the largest multiple of
                              all traffic, for as much traffic as possible; capacity: sites that should grow;
                              placement: a new site for each VNF
            PERCENT           traffic, of the largest that can be carried (default 80); for capacity the compute that is
                              added, of what there is
            COVERAGE_PERCENT  sites where each VNF is, of all (default 50)
            SEED              a whole number; the same gives the same chains (default 1)
            NETWORK           JSON of the model sluice-planner (.json), with chains of its own; PERCENT is of their
                              traffic (default 100)
            --time-limit      after so many seconds, or Ctrl-C, the best that was found is printed with its gap (default
                              600)

            Routes: chain, share in ppm, ingress > VNF@site > ... > egress. Latency is in bit/s times microseconds,
            scale a factor, carried in bit/s, compute in cycles/s. Exit status: 0 with an answer, 1 without, 2 if
            arguments or file make no sense.""";
    }

    /** The word at a position, counted from 0. */
    String text(final int index, final String otherwise) {
        return words.size() > index ? words.get(index) : otherwise;
    }

    int number(final int index, final String name, final int otherwise) {
        return words.size() > index ? integer(name, words.get(index)) : otherwise;
    }

    /** A number of percent that is not less than nothing. */
    int percent(final int index, final int otherwise) {
        final int percent = number(index, "PERCENT", otherwise);
        if (percent < 0) {
            throw new IllegalArgumentException("PERCENT: " + percent + " is less than nothing");
        }
        return percent;
    }

    static Objective objective(final String name) {
        return Arrays.stream(Objective.values()).filter(known -> known.name().equalsIgnoreCase(name)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("OBJECTIVE: " + name + " is not known"));
    }

    private static int integer(final String name, final String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": " + text + " is not a whole number up to "
                + Integer.MAX_VALUE, e);
        }
    }
}
