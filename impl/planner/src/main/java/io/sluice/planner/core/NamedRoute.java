// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A route of a chain in an operator's words.
 *
 * @param ingress node where traffic enters
 * @param hops where each VNF of the chain is, in the order of forward traffic
 * @param egress node where it leaves
 * @param delayUs of forward traffic from ingress to egress
 */
public record NamedRoute(String ingress, List<Hop> hops, String egress, long delayUs) {
    public NamedRoute {
        hops = List.copyOf(hops);
    }

    /** A VNF at one of its sites. */
    public record Hop(String vnf, String site) { }

    /** Names of a route, given as in {@link LayeredChain}. */
    public static NamedRoute of(final Instance instance, final LayeredChain chain, final int[] route) {
        final var nodes = instance.problem().network().nodes();
        final int last = route.length - 1;
        return new NamedRoute(nodes.get(chain.node(0, route[0])), IntStream.range(1, last)
            .mapToObj(layer -> instance.hop(chain.deployment(layer, route[layer]))).toList(),
            nodes.get(chain.node(last, route[last])), Math.round(chain.delayUs(instance.underlay(), route)));
    }

    /** As in {@code a > firewall@site-b > c}. */
    @Override
    public String toString() {
        return hops.stream().map(hop -> hop.vnf() + "@" + hop.site() + " > ")
            .collect(Collectors.joining("", ingress + " > ", egress));
    }
}
