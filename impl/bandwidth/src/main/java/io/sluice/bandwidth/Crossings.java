// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which links some flows of a round pass. The flows, and the links that one of them passes, have numbers of their own,
 * in the order of the round, so that what few flows do takes no longer in a large network.
 */
final class Crossings {
    /** Of each link, its number in the round. */
    final int[] links;
    /** Of each flow, where its links begin in {@link #linkAt}, and where the last one's end. */
    final int[] firstLink;
    final int[] linkAt;
    /** Beside {@link #linkAt}: part of the flow that passes the link. */
    final double[] linkPart;
    /** Of each link, where its flows begin in {@link #flowAt}, and where the last one's end. */
    final int[] firstFlow;
    final int[] flowAt;
    /** Beside {@link #flowAt}. */
    final double[] flowPart;

    /**
     * Finds the crossings.
     *
     * @param flows by their numbers in the round, rising
     * @param numberOf room to work in, one for each link of the round
     */
    Crossings(final Instance instance, final int[] flows, final int[] numberOf) {
        firstLink = new int[flows.length + 1];
        final var passed = new BitSet(numberOf.length);
        for (int flow = 0; flow < flows.length; flow++) {
            final int[] linksOf = instance.linksOf[flows[flow]];
            firstLink[flow + 1] = firstLink[flow] + linksOf.length;
            for (final int link : linksOf) {
                passed.set(link);
            }
        }
        links = passed.stream().toArray();
        for (int link = 0; link < links.length; link++) {
            numberOf[links[link]] = link;
        }
        linkAt = new int[firstLink[flows.length]];
        linkPart = new double[linkAt.length];
        firstFlow = new int[links.length + 1];
        for (int flow = 0; flow < flows.length; flow++) {
            final double[] parts = instance.partsOf[flows[flow]];
            System.arraycopy(parts, 0, linkPart, firstLink[flow], parts.length);
            int at = firstLink[flow];
            for (final int link : instance.linksOf[flows[flow]]) {
                linkAt[at++] = numberOf[link];
                firstFlow[numberOf[link]]++;
            }
        }
        flowAt = new int[linkAt.length];
        flowPart = new double[linkAt.length];
        invert(flows.length);
    }

    /** Turns counts of flows into where they end, and these, flow by flow from the last, into where they begin. */
    private void invert(final int flows) {
        for (int link = 0; link < links.length; link++) {
            firstFlow[link + 1] += firstFlow[link];
        }
        for (int flow = flows - 1; flow >= 0; flow--) {
            for (int at = firstLink[flow + 1] - 1; at >= firstLink[flow]; at--) {
                final int place = --firstFlow[linkAt[at]];
                flowAt[place] = flow;
                flowPart[place] = linkPart[at];
            }
        }
    }

    boolean passes(final int flow, final int link) {
        return Arrays.binarySearch(linkAt, firstLink[flow], firstLink[flow + 1], link) >= 0;
    }

    /** What rates put on a link. */
    double load(final int link, final double[] rates) {
        double load = 0;
        for (int i = firstFlow[link]; i < firstFlow[link + 1]; i++) {
            load += rates[flowAt[i]] * flowPart[i];
        }
        return load;
    }
}
