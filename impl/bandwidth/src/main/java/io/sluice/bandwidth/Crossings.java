// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which flows pass which links, and with which part of them: a sparse matrix, by flows and by links. Both go by
 * numbers, in the order of the round. Those of {@link #of all of a round} are the round's; a {@link #select selection}
 * numbers its flows and links anew, so that what few do takes no longer in a large network.
 */
final class Crossings {
    /** Of each link, its number in the round. */
    final int[] links;
    /** Of each flow, where its links begin in {@link #linkAt}, and where the last one's end. */
    final int[] firstLink;
    /** Links of flow after flow, those of each in rising order; what is beyond the last one's end is unused. */
    final int[] linkAt;
    /** Beside {@link #linkAt}: part of the flow that passes the link, above 0 and up to 1. */
    final double[] linkPart;
    /** Of each link, where its flows begin in {@link #flowAt}, and where the last one's end. */
    final int[] firstFlow;
    /** Flows on link after link, those on each in rising order. */
    final int[] flowAt;
    /** Beside {@link #flowAt}: part of the flow that passes the link. */
    final double[] flowPart;

    private Crossings(final int[] links, final int[] firstLink, final int[] linkAt, final double[] linkPart) {
        this.links = links;
        this.firstLink = firstLink;
        this.linkAt = linkAt;
        this.linkPart = linkPart;
        firstFlow = new int[links.length + 1];
        flowAt = new int[firstLink[firstLink.length - 1]];
        flowPart = new double[flowAt.length];
        invert();
    }

    /** Counts flows by link, turns counts into where they end, and these, from the last flow, into where they begin. */
    private void invert() {
        for (int at = 0; at < flowAt.length; at++) {
            firstFlow[linkAt[at]]++;
        }
        for (int link = 0; link < links.length; link++) {
            firstFlow[link + 1] += firstFlow[link];
        }
        for (int flow = firstLink.length - 2; flow >= 0; flow--) {
            for (int at = firstLink[flow]; at < firstLink[flow + 1]; at++) {
                final int place = --firstFlow[linkAt[at]];
                flowAt[place] = flow;
                flowPart[place] = linkPart[at];
            }
        }
    }

    /** All of a round. */
    static Crossings of(final List<AllocatableLink> links, final List<Flow> flows) {
        final Map<String, Integer> numbers = HashMap.newHashMap(links.size());
        for (final var link : links) {
            numbers.put(link.name(), numbers.size());
        }
        int most = 0;
        for (final var flow : flows) {
            for (final var path : flow.paths()) {
                most += path.links().size();
            }
        }
        final var firstLink = new int[flows.size() + 1];
        final var linkAt = new int[most];
        final var linkPart = new double[most];
        final var weights = new long[links.size()];
        for (int flow = 0; flow < flows.size(); flow++) {
            firstLink[flow + 1] = write(flows.get(flow).paths(), numbers, weights, firstLink[flow], linkAt, linkPart);
        }
        final var all = new int[links.size()];
        Arrays.setAll(all, link -> link);
        return new Crossings(all, firstLink, linkAt, linkPart);
    }

    /**
     * Writes down the links of a flow from {@code first} on, each once, and returns where they end.
     *
     * @param weights room to work in, one for each link, all 0 before the call and after it
     */
    private static int write(final List<PathShare> paths, final Map<String, Integer> numbers, final long[] weights,
            final int first, final int[] linkAt, final double[] linkPart) {
        int end = first;
        long whole = 0;
        for (final var path : paths) {
            whole += path.weight();
            for (final var name : path.links()) {
                final int link = numbers.get(name);
                if (weights[link] == 0) {
                    linkAt[end++] = link;
                }
                weights[link] += path.weight();
            }
        }
        Arrays.sort(linkAt, first, end);
        for (int at = first; at < end; at++) {
            linkPart[at] = (double) weights[linkAt[at]] / whole;
            weights[linkAt[at]] = 0;
        }
        return end;
    }

    /**
     * What some flows have to do with some links, if this is of all of a round.
     *
     * @param someFlows by their numbers in the round, rising; the selection's are 0 up
     * @param someLinks as well
     * @param numberOf room to work in, one for each link, all -1 before the call and after it
     */
    Crossings select(final int[] someFlows, final int[] someLinks, final int[] numberOf) {
        for (int link = 0; link < someLinks.length; link++) {
            numberOf[someLinks[link]] = link;
        }
        final var first = new int[someFlows.length + 1];
        for (int flow = 0; flow < someFlows.length; flow++) {
            first[flow + 1] = first[flow];
            for (int at = firstLink[someFlows[flow]]; at < firstLink[someFlows[flow] + 1]; at++) {
                first[flow + 1] += numberOf[linkAt[at]] >= 0 ? 1 : 0;
            }
        }
        final var selected = new int[first[someFlows.length]];
        final var parts = new double[selected.length];
        int place = 0;
        for (final int flow : someFlows) {
            for (int at = firstLink[flow]; at < firstLink[flow + 1]; at++) {
                if (numberOf[linkAt[at]] >= 0) {
                    selected[place] = numberOf[linkAt[at]];
                    parts[place++] = linkPart[at];
                }
            }
        }
        for (final int link : someLinks) {
            numberOf[link] = -1;
        }
        return new Crossings(someLinks, first, selected, parts);
    }

    int[] linksOf(final int flow) {
        return Arrays.copyOfRange(linkAt, firstLink[flow], firstLink[flow + 1]);
    }

    int[] flowsOn(final int link) {
        return Arrays.copyOfRange(flowAt, firstFlow[link], firstFlow[link + 1]);
    }

    boolean passes(final int flow, final int link) {
        return Arrays.binarySearch(linkAt, firstLink[flow], firstLink[flow + 1], link) >= 0;
    }

    /** Adds what a flow of so much puts on each of its links. */
    void add(final int flow, final double amount, final double[] perLink) {
        for (int at = firstLink[flow]; at < firstLink[flow + 1]; at++) {
            perLink[linkAt[at]] += amount * linkPart[at];
        }
    }

    /** What rates, at least 0, put on each link. */
    double[] loads(final double[] rates) {
        final var loads = new double[links.length];
        for (int flow = 0; flow < rates.length; flow++) {
            if (rates[flow] > 0) {
                add(flow, rates[flow], loads);
            }
        }
        return loads;
    }

    /** What rates put on one link. */
    double load(final int link, final double[] rates) {
        double load = 0;
        for (int i = firstFlow[link]; i < firstFlow[link + 1]; i++) {
            load += rates[flowAt[i]] * flowPart[i];
        }
        return load;
    }
}
