// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What max-min fairness would give to flows that are added and removed, for one choice to be compared with another. A
 * flow is taken to want as much as it can get in both directions: which way it carries its data is not known before it
 * has carried any.
 *
 * <p>Progressive filling in doubles; {@link io.sluice.graph.MaxMin} computes the same exactly and more slowly.
 */
final class FairShares {
    /** Of a link that others fill, new flows will still get a part. */
    private static final double LEAST_PART = 0.05;

    private final Map<PortId, Integer> index = new HashMap<>();
    private final List<Link> links;
    private final double[] available;
    private final double[] capacity;
    private final int[] users;
    private final List<Channel> channels = new ArrayList<>();

    /** A flow's links in both directions and the most it carries. */
    private record Channel(int[] links, double limit) { }

    /** What one flow gets, and the link that limits it, if one does. */
    record Share(double rate, Optional<Link> bindingLink) { }

    FairShares(final World world) {
        links = world.fabric().links();
        available = new double[links.size()];
        capacity = new double[links.size()];
        users = new int[links.size()];
        for (int i = 0; i < available.length; i++) {
            final var link = links.get(i);
            index.put(link.source(), i);
            capacity[i] = link.capacity().bitsPerSecond();
            final double left = capacity[i]
                - world.background().getOrDefault(link.source(), Bandwidth.ZERO).bitsPerSecond();
            available[i] = Math.max(left, capacity[i] * LEAST_PART);
        }
        world.flows().forEach(flow -> add(flow.forward(), flow.backward(), flow.limit()));
    }

    /** Adds a flow; links that are not there now are passed over. */
    void add(final Path forward, final Path backward, final Optional<Bandwidth> limit) {
        final var crossed = new ArrayList<Integer>();
        for (var path : List.of(forward, backward)) {
            path.links().stream().map(link -> index.get(link.source())).filter(found -> found != null)
                .forEach(crossed::add);
        }
        final var channel = new Channel(crossed.stream().mapToInt(Integer::intValue).toArray(),
            limit.map(rate -> (double) rate.bitsPerSecond()).orElse(Double.POSITIVE_INFINITY));
        Arrays.stream(channel.links).forEach(link -> users[link]++);
        channels.add(channel);
    }

    /** Takes the flow at {@code position}, in order of addition, out; those behind it move up. */
    void remove(final int position) {
        Arrays.stream(channels.remove(position).links).forEach(link -> users[link]--);
    }

    int size() {
        return channels.size();
    }

    /** What another flow on {@code path}, there and back, could hope for: the smallest equal split of its links. */
    double estimate(final Path path) {
        double least = Double.POSITIVE_INFINITY;
        for (var link : path.links()) {
            final int there = index.get(link.source());
            final int back = index.get(link.destination());
            least = Math.min(least, Math.min(available[there] / (users[there] + 1), available[back] / (users[back] + 1)));
        }
        return least;
    }

    /** Cost of a path by what its links carry and by the flows on them. */
    long cost(final Path path) {
        return path.links().stream().mapToLong(link -> {
            final int at = index.get(link.source());
            final double load = capacity[at] - available[at] / (users[at] + 1);
            return LinkCost.of((long) load, (long) capacity[at]);
        }).sum();
    }

    /** Rates of all flows, in order of addition; infinite for a flow that crosses no link and has no limit. */
    List<Share> fill() {
        final var shares = new Share[channels.size()];
        final double[] left = available.clone();
        final int[] open = users.clone();
        int unfixed = channels.size();
        while (unfixed > 0) {
            final int tightest = tightest(left, open);
            final double level = tightest < 0 ? Double.POSITIVE_INFINITY : left[tightest] / open[tightest];
            final int before = unfixed;
            for (int i = 0; i < shares.length; i++) {
                if (shares[i] == null && channels.get(i).limit <= level) {
                    shares[i] = fix(i, channels.get(i).limit, Optional.empty(), left, open);
                    unfixed--;
                }
            }
            if (unfixed == before) {
                for (int i = 0; i < shares.length; i++) {
                    if (shares[i] == null && (tightest < 0 || crosses(channels.get(i), tightest))) {
                        shares[i] = fix(i, level, tightest < 0 ? Optional.empty()
                            : Optional.of(links.get(tightest)), left, open);
                        unfixed--;
                    }
                }
            }
        }
        return List.of(shares);
    }

    private Share fix(final int flow, final double rate, final Optional<Link> binding, final double[] left,
            final int[] open) {
        for (int link : channels.get(flow).links) {
            left[link] = Math.max(0, left[link] - rate);
            open[link]--;
        }
        return new Share(rate, binding);
    }

    private static int tightest(final double[] left, final int[] open) {
        int tightest = -1;
        for (int i = 0; i < left.length; i++) {
            if (open[i] > 0 && (tightest < 0 || left[i] / open[i] < left[tightest] / open[tightest])) {
                tightest = i;
            }
        }
        return tightest;
    }

    private static boolean crosses(final Channel channel, final int link) {
        return Arrays.stream(channel.links).anyMatch(crossed -> crossed == link);
    }
}
