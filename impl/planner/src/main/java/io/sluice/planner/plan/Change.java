// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Something that happens to a network or its traffic, or that somebody wonders about. Numbers are the problem's. */
public sealed interface Change {
    /**
     * The problem after the change; links, sites and VNFs keep their numbers.
     *
     * @throws IllegalArgumentException if there is no such problem, as its traffic would be beyond all measure
     */
    Problem applyTo(Problem problem);

    /** Links that fail; each direction for itself. */
    record LinksDown(Set<Integer> links) implements Change {
        public LinksDown {
            links = Set.copyOf(links);
        }

        @Override
        public Problem applyTo(final Problem problem) {
            final var all = problem.network().links();
            return new Problem(problem.network().withLinks(IntStream.range(0, all.size())
                .mapToObj(link -> links.contains(link) ? all.get(link).down() : all.get(link)).toList()),
                problem.sites(), problem.vnfs(), problem.chains());
        }
    }

    /** A site that fails, with all that runs there. */
    record SiteDown(int site) implements Change {
        @Override
        public Problem applyTo(final Problem problem) {
            final var all = problem.sites();
            return new Problem(problem.network(), IntStream.range(0, all.size())
                .mapToObj(number -> number == site ? all.get(number).withCapacity(0) : all.get(number)).toList(),
                problem.vnfs(), problem.chains());
        }
    }

    /** A VNF that has another capacity at one of its sites: 0 if it fails there. */
    record Instances(int vnf, int site, long cyclesPerSecond) implements Change {
        @Override
        public Problem applyTo(final Problem problem) {
            return Revision.applied(problem, problem.sites(), (number, old) -> number != vnf ? old : new Vnf(old.name(),
                old.cyclesPerKilobyte(), old.deployments().stream().map(deployment -> deployment.site() == site
                    ? new Deployment(site, cyclesPerSecond) : deployment).toList()));
        }
    }

    /**
     * A new site.
     *
     * @param site where, and how large
     * @param cyclesPerSecond of each VNF that it runs
     */
    record SiteAdded(Site site, Map<Integer, Long> cyclesPerSecond) implements Change {
        public SiteAdded {
            cyclesPerSecond = Map.copyOf(cyclesPerSecond);
        }

        @Override
        public Problem applyTo(final Problem problem) {
            final int number = problem.sites().size();
            return Revision.applied(problem, Stream.concat(problem.sites().stream(), Stream.of(site)).toList(),
                (vnf, old) -> !cyclesPerSecond.containsKey(vnf) ? old : new Vnf(old.name(), old.cyclesPerKilobyte(),
                    Stream.concat(old.deployments().stream(), Stream.of(new Deployment(number,
                        cyclesPerSecond.get(vnf)))).toList()));
        }
    }

    /**
     * All traffic of chains, times a factor.
     *
     * @param ppm 1,000,000 changes nothing
     */
    record Traffic(long ppm) implements Change {
        private static final double MILLION = 1e6;

        public Traffic {
            if (ppm < 0) {
                throw new IllegalArgumentException("traffic times " + ppm + " ppm");
            }
        }

        @Override
        public Problem applyTo(final Problem problem) {
            return problem.withChains(problem.chains().stream().map(chain -> new Chain(chain.name(),
                chain.ingresses(), chain.egresses(), chain.vnfs(), chain.stages().stream()
                    .map(stage -> new Stage(times(chain, stage.forward()), times(chain, stage.reverse()))).toList()))
                .toList());
        }

        private Bandwidth times(final Chain chain, final Bandwidth rate) {
            final double product = rate.bitsPerSecond() / MILLION * ppm;
            if (product >= Long.MAX_VALUE) {
                throw new IllegalArgumentException(chain.name() + ": " + rate + " times " + ppm
                    + " ppm are more than " + Long.MAX_VALUE);
            }
            return new Bandwidth(Math.round(product));
        }
    }

    /** What becomes of a VNF. */
    @FunctionalInterface
    interface Revision {
        Vnf of(int number, Vnf old);

        /** The problem with its VNFs revised, and with these sites. */
        static Problem applied(final Problem problem, final List<Site> sites, final Revision revision) {
            return new Problem(problem.network(), sites, IntStream.range(0, problem.vnfs().size())
                .mapToObj(vnf -> revision.of(vnf, problem.vnfs().get(vnf))).toList(), problem.chains());
        }
    }
}
