// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Vnf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What is asked: new sites for some VNFs.
 *
 * @param problem the network, where VNFs are already, and the chains
 * @param newSites the most new sites of each VNF that may have any, y_f of the paper, 0 or more
 * @param cyclesPerSecond the most that a VNF may use at a new site, 1 or more; a site's capacity limits it besides
 */
public record PlacementTask(Problem problem, Map<Integer, Integer> newSites, long cyclesPerSecond) {
    /** New sites of each VNF unless somebody says otherwise. */
    public static final int NEW_SITES = 1;

    public PlacementTask {
        newSites = Collections.unmodifiableMap(new TreeMap<>(newSites));
        newSites.forEach((vnf, most) -> {
            if (vnf < 0 || vnf >= problem.vnfs().size() || most < 0) {
                throw new IllegalArgumentException(most + " new sites for VNF " + vnf + " of "
                    + problem.vnfs().size());
            }
        });
        if (cyclesPerSecond < 1) {
            throw new IllegalArgumentException("new deployments of " + cyclesPerSecond + " cycles/s");
        }
    }

    /** The same for each VNF. */
    public static PlacementTask forAll(final Problem problem, final int newSites, final long cyclesPerSecond) {
        return new PlacementTask(problem, IntStream.range(0, problem.vnfs().size()).boxed()
            .collect(Collectors.toMap(vnf -> vnf, vnf -> newSites)), cyclesPerSecond);
    }

    /** Open sites where a VNF is not yet, if it may have new ones. */
    public List<Integer> candidates(final int vnf) {
        final var present = problem.vnfs().get(vnf).deployments().stream().map(Deployment::site)
            .collect(Collectors.toSet());
        return newSites.getOrDefault(vnf, 0) == 0 ? List.of() : IntStream.range(0, problem.sites().size()).boxed()
            .filter(site -> problem.sites().get(site).cyclesPerSecond() > 0 && !present.contains(site)).toList();
    }

    /** All candidates of all VNFs. */
    public Map<Integer, Set<Integer>> everywhere() {
        return newSites.keySet().stream().collect(Collectors.toMap(vnf -> vnf, vnf -> Set.copyOf(candidates(vnf))));
    }

    /** As many candidates of each VNF as are allowed, at random. */
    public Map<Integer, Set<Integer>> anywhere(final Random random) {
        return newSites.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> {
            final var sites = new ArrayList<>(candidates(entry.getKey()));
            Collections.shuffle(sites, random);
            return Set.copyOf(sites.subList(0, Math.min(entry.getValue(), sites.size())));
        }));
    }

    /**
     * The problem with VNFs at new sites. Candidates that are not chosen are there too, but closed; so whatever is
     * chosen, rows and positions have the same numbers: those of a VNF's old sites, then those of its candidates.
     *
     * @param chosen new sites of each VNF
     */
    public Problem with(final Map<Integer, Set<Integer>> chosen) {
        return new Problem(problem.network(), problem.sites(), IntStream.range(0, problem.vnfs().size())
            .mapToObj(vnf -> with(vnf, chosen.getOrDefault(vnf, Set.of()))).toList(), problem.chains());
    }

    private Vnf with(final int number, final Set<Integer> chosen) {
        final var vnf = problem.vnfs().get(number);
        return new Vnf(vnf.name(), vnf.cyclesPerKilobyte(), Stream.concat(vnf.deployments().stream(),
            candidates(number).stream().map(site -> new Deployment(site, chosen.contains(site)
                ? Math.min(cyclesPerSecond, problem.sites().get(site).cyclesPerSecond()) : 0))).toList());
    }
}
