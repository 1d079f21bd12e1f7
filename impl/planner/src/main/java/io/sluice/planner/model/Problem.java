// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import java.util.List;

/**
 * All of table 1: what there is, and what is asked of it. Sites, VNFs and chains are numbered 0 up, in list order.
 *
 * @param network nodes and links
 * @param sites where there is compute capacity
 * @param vnfs the catalog
 * @param chains what customers ordered
 */
public record Problem(Network network, List<Site> sites, List<Vnf> vnfs, List<Chain> chains) {
    public Problem {
        sites = List.copyOf(sites);
        vnfs = List.copyOf(vnfs);
        chains = List.copyOf(chains);
        for (final var site : sites) {
            check("a site", "node", site.node(), network.nodes().size());
        }
        for (final var vnf : vnfs) {
            for (final var deployment : vnf.deployments()) {
                check(vnf.name(), "site", deployment.site(), sites.size());
            }
        }
        for (final var chain : chains) {
            check(chain, network, vnfs);
        }
    }

    /**
     * Checks a chain that is to be among the others.
     *
     * @throws IllegalArgumentException if it names a node or a VNF that is not there
     */
    public void check(final Chain chain) {
        check(chain, network, vnfs);
    }

    /** The name of a site, or that of its node. */
    public String siteName(final int number) {
        final var site = sites.get(number);
        return site.name().isEmpty() ? network.nodes().get(site.node()) : site.name();
    }

    /** The same network with other chains. */
    public Problem withChains(final List<Chain> others) {
        return new Problem(network, sites, vnfs, others);
    }

    /** Whether equal numbers mean the same node, link, site, VNF and deployment in both. */
    public boolean isLike(final Problem other) {
        return network.nodes().equals(other.network.nodes()) && courses().equals(other.courses())
            && places().equals(other.places()) && deployed().equals(other.deployed());
    }

    /** Whether both are the same, though chains may differ. */
    public boolean equalsButForChains(final Problem other) {
        return network.equals(other.network) && sites.equals(other.sites) && vnfs.equals(other.vnfs);
    }

    private List<List<Object>> courses() {
        return network.links().stream().map(link -> List.<Object>of(link.name(), link.from(), link.to())).toList();
    }

    private List<List<Object>> places() {
        return sites.stream().map(site -> List.<Object>of(site.name(), site.node())).toList();
    }

    private List<List<Object>> deployed() {
        return vnfs.stream().map(vnf -> List.<Object>of(vnf.name(),
            vnf.deployments().stream().map(Deployment::site).toList())).toList();
    }

    private static void check(final Chain chain, final Network network, final List<Vnf> vnfs) {
        chain.ingresses().forEach(node -> check(chain.name(), "ingress", node, network.nodes().size()));
        chain.egresses().forEach(node -> check(chain.name(), "egress", node, network.nodes().size()));
        chain.vnfs().forEach(vnf -> check(chain.name(), "VNF", vnf, vnfs.size()));
    }

    private static void check(final String owner, final String what, final int number, final int count) {
        if (number < 0 || number >= count) {
            throw new IllegalArgumentException(owner + ": " + what + " " + number + " of " + count);
        }
    }
}
