// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
    private final Map<PortId, Bandwidth> background;
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
        background = world.background();
        links = world.fabric().links();
        available = new double[links.size()];
        capacity = new double[links.size()];
        users = new int[links.size()];
        for (int i = 0; i < available.length; i++) {
            final var link = links.get(i);
            index.put(link.source(), i);
            capacity[i] = link.capacity().bitsPerSecond();
            final double left = capacity[i]
                - background.getOrDefault(link.source(), Bandwidth.ZERO).bitsPerSecond();
            available[i] = Math.max(left, capacity[i] * LEAST_PART);
        }
        world.flows().forEach(flow -> add(flow.forward(), flow.backward(), flow.limit()));
    }

    /** The links of a flow, there and back, as numbers of this object; those that are not there now are left out. */
    int[] crossed(final Path forward, final Path backward) {
        return Stream.of(forward, backward).flatMap(path -> path.links().stream())
            .map(link -> index.get(link.source())).filter(Objects::nonNull).mapToInt(Integer::intValue).toArray();
    }

    /** Adds a flow. */
    void add(final Path forward, final Path backward, final Optional<Bandwidth> limit) {
        add(crossed(forward, backward), limit);
    }

    /** Adds a flow over links that {@link #crossed} gave. */
    void add(final int[] crossed, final Optional<Bandwidth> limit) {
        for (int link : crossed) {
            users[link]++;
        }
        channels.add(new Channel(crossed,
            limit.map(rate -> (double) rate.bitsPerSecond()).orElse(Double.POSITIVE_INFINITY)));
    }

    /** Takes the flow at {@code position}, in order of addition, out; those behind it move up. */
    void remove(final int position) {
        for (int link : channels.remove(position).links) {
            users[link]--;
        }
    }

    int size() {
        return channels.size();
    }

    /** What another flow over these links could hope for: the smallest equal split. */
    double estimate(final int[] crossed) {
        double least = Double.POSITIVE_INFINITY;
        for (int link : crossed) {
            least = Math.min(least, available[link] / (users[link] + 1));
        }
        return least;
    }

    /** Cost of links by what they carry and by the flows on them. */
    long cost(final int[] crossed) {
        long cost = 0;
        for (int link : crossed) {
            final double load = capacity[link] - available[link] / (users[link] + 1);
            cost += LinkCost.of((long) load, (long) capacity[link]);
        }
        return cost;
    }

    /** What is known of a link that limits a flow. */
    Bottleneck bottleneck(final Link link) {
        return new Bottleneck(link, background.getOrDefault(link.source(), Bandwidth.ZERO),
            users[index.get(link.source())]);
    }

    /** Rates of all flows, in order of addition; infinite for a flow that crosses no link and has no limit. */
    List<Share> fill() {
        final var shares = new Share[channels.size()];
        final double[] left = available.clone();
        final int[] open = users.clone();
        final int[] used = IntStream.range(0, users.length).filter(link -> users[link] > 0).toArray();
        int unfixed = channels.size();
        while (unfixed > 0) {
            final int tightest = tightest(used, left, open);
            final double level = tightest < 0 ? Double.POSITIVE_INFINITY : left[tightest] / open[tightest];
            final int before = unfixed;
            for (int i = 0; i < shares.length; i++) {
                if (shares[i] == null && channels.get(i).limit <= level) {
                    shares[i] = fix(i, channels.get(i).limit, Optional.empty(), left, open);
                    unfixed--;
                }
            }
            if (unfixed == before) {
                final var binding = tightest < 0 ? Optional.<Link>empty() : Optional.of(links.get(tightest));
                for (int i = 0; i < shares.length; i++) {
                    if (shares[i] == null && (tightest < 0 || crosses(channels.get(i), tightest))) {
                        shares[i] = fix(i, level, binding, left, open);
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

    private static int tightest(final int[] used, final double[] left, final int[] open) {
        int tightest = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int link : used) {
            if (open[link] > 0 && (tightest < 0 || left[link] / open[link] < least)) {
                tightest = link;
                least = left[link] / open[link];
            }
        }
        return tightest;
    }

    private static boolean crosses(final Channel channel, final int link) {
        for (int crossed : channel.links) {
            if (crossed == link) {
                return true;
            }
        }
        return false;
    }
}
