// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Compute capacity that is added to sites (a_s of section 4.3 of the paper). What a VNF may use at a site grows in
 * proportion with the site. A closed site has no proportions to grow by: nothing can be added to it.
 *
 * @param ofSite cycles per second for each site, 0 or more
 */
public record Additions(List<Long> ofSite) {
    public Additions {
        ofSite = List.copyOf(ofSite);
        if (ofSite.stream().anyMatch(each -> each < 0)) {
            throw new IllegalArgumentException("less than nothing is added: " + ofSite);
        }
    }

    /**
     * Shares {@code total} out as {@code parts} say, by largest remainder.
     *
     * @param parts for each site, 0 or more, not all of them 0
     */
    public static Additions inParts(final long total, final double[] parts) {
        final double sum = DoubleStream.of(parts).sum();
        final var exact = DoubleStream.of(parts).map(part -> part / sum * total).toArray();
        final var whole = DoubleStream.of(exact).mapToLong(each -> (long) each).toArray();
        long rest = total;
        for (final long each : whole) {
            rest -= each;
        }
        final var first = IntStream.range(0, whole.length).filter(site -> parts[site] > 0).boxed()
            .sorted((one, other) -> Double.compare(exact[other] - whole[other], exact[one] - whole[one])).toList();
        for (int i = 0; i < first.size() && rest != 0; i++) {
            // beyond 2^53 a double is off by more than one
            final long step = rest / (first.size() - i) + Long.signum(rest % (first.size() - i));
            whole[first.get(i)] += step;
            rest -= step;
        }
        return new Additions(IntStream.range(0, whole.length).mapToObj(site -> whole[site]).toList());
    }

    /** The same for each site that is open, if there is one. */
    public static Additions uniform(final Problem problem, final long total) {
        return drawn(problem, total, () -> 1);
    }

    /** Parts of open sites in uniformly random proportions. */
    public static Additions random(final Problem problem, final long total, final Random random) {
        return drawn(problem, total, () -> 1 - random.nextDouble());
    }

    private static Additions drawn(final Problem problem, final long total, final DoubleSupplier part) {
        final var parts = problem.sites().stream().mapToDouble(site -> site.cyclesPerSecond() > 0
            ? part.getAsDouble() : 0).toArray();
        return DoubleStream.of(parts).sum() > 0 ? inParts(total, parts) : none(problem);
    }

    /** Nothing for any site. */
    public static Additions none(final Problem problem) {
        return new Additions(problem.sites().stream().map(site -> 0L).toList());
    }

    /** All together, in cycles per second. */
    public long total() {
        return ofSite.stream().mapToLong(Long::longValue).sum();
    }

    /**
     * The problem with these capacities added.
     *
     * @throws IllegalArgumentException if a site would be beyond all measure, or a closed one is to grow
     */
    public Problem applyTo(final Problem problem) {
        final var sites = IntStream.range(0, ofSite.size()).mapToObj(site -> grown(problem.sites().get(site), site))
            .toList();
        return new Problem(problem.network(), sites, problem.vnfs().stream().map(vnf -> new Vnf(vnf.name(),
            vnf.cyclesPerKilobyte(), vnf.deployments().stream().map(deployment -> grown(problem, deployment))
                .toList())).toList(), problem.chains());
    }

    private Site grown(final Site site, final int number) {
        final long added = ofSite.get(number);
        if (added > 0 && site.cyclesPerSecond() == 0) {
            throw new IllegalArgumentException("site " + number + " is closed and can't grow");
        }
        if (added > Long.MAX_VALUE - site.cyclesPerSecond()) {
            throw new IllegalArgumentException("site " + number + ": " + site.cyclesPerSecond() + " and " + added
                + " cycles/s together are more than " + Long.MAX_VALUE);
        }
        return site.withCapacity(site.cyclesPerSecond() + added);
    }

    /** Rounded down, so that no bound on the proportional growth is passed. */
    private Deployment grown(final Problem problem, final Deployment deployment) {
        final long added = ofSite.get(deployment.site());
        if (added == 0) {
            return deployment;
        }
        final double more = deployment.cyclesPerSecond()
            * ((double) added / problem.sites().get(deployment.site()).cyclesPerSecond());
        return new Deployment(deployment.site(), (long) Math.min(Long.MAX_VALUE,
            deployment.cyclesPerSecond() + Math.floor(more)));
    }
}
