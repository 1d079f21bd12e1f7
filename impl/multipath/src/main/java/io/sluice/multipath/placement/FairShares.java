// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What max-min fairness would give to flows that are added and removed, for one choice to be compared with another. A
 * flow is taken to want as much as it can get in both directions: which way it carries its data is not known before it
 * has carried any.
 *
 * <p>Progressive filling in doubles ({@link Filling}); {@link io.sluice.graph.MaxMin} computes the same exactly and more
 * slowly.
 */
final class FairShares {
    /** Of a link that others fill, new flows will still get a part. */
    private static final double LEAST_PART = 0.05;
    private static final double JUST_FULL = 1 - 1e-9;

    private final Map<PortId, Integer> index = new HashMap<>();
    private final Map<Path, int[]> numbers = new IdentityHashMap<>();
    private final Map<PortId, Bandwidth> background;
    private final List<Link> links;
    private final double[] available;
    private final double[] capacity;
    private final List<Channel> channels = new ArrayList<>();
    private final List<List<Channel>> usersOf = new ArrayList<>();
    /** Of each link, what the flows on it want together that have a limit, and how many have none. */
    private final double[] wanted;
    private final int[] unlimited;

    /** A flow's links in both directions and the most it carries; two of them are never equal. */
    private static final class Channel {
        private final int[] links;
        private final double limit;

        Channel(final int[] links, final double limit) {
            this.links = links;
            this.limit = limit;
        }
    }

    /** What one flow gets, and the link that limits it, if one does. */
    record Share(double rate, Optional<Link> bindingLink) { }

    FairShares(final World world) {
        background = world.background();
        links = world.fabric().links();
        available = new double[links.size()];
        capacity = new double[links.size()];
        wanted = new double[links.size()];
        unlimited = new int[links.size()];
        for (int i = 0; i < available.length; i++) {
            usersOf.add(new ArrayList<>());
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
        return IntStream.concat(Arrays.stream(numbers(forward)), Arrays.stream(numbers(backward))).toArray();
    }

    /** Flows share few paths. */
    private int[] numbers(final Path path) {
        return numbers.computeIfAbsent(path, added -> added.links().stream().map(link -> index.get(link.source()))
            .filter(Objects::nonNull).mapToInt(Integer::intValue).toArray());
    }

    /** Adds a flow. */
    void add(final Path forward, final Path backward, final Optional<Bandwidth> limit) {
        add(crossed(forward, backward), limit);
    }

    /** Adds a flow over links that {@link #crossed} gave. */
    void add(final int[] crossed, final Optional<Bandwidth> limit) {
        final var channel = new Channel(crossed, limit(limit));
        for (int link : crossed) {
            usersOf.get(link).add(channel);
            want(link, channel.limit, 1);
        }
        channels.add(channel);
    }

    /** Takes the flow at {@code position}, in order of addition, out; those behind it move up. */
    void remove(final int position) {
        final var channel = channels.remove(position);
        for (int link : channel.links) {
            want(link, channel.limit, -1);
            usersOf.get(link).remove(usersOf.get(link).lastIndexOf(channel));
        }
    }

    private void want(final int link, final double limit, final int flows) {
        if (Double.isInfinite(limit)) {
            unlimited[link] += flows;
        } else {
            wanted[link] += flows * limit;
        }
    }

    int size() {
        return channels.size();
    }

    /** What another flow over these links could hope for: the smallest equal split. */
    double estimate(final int[] crossed) {
        double least = Double.POSITIVE_INFINITY;
        for (int link : crossed) {
            least = Math.min(least, available[link] / (users(link) + 1));
        }
        return least;
    }

    /** Cost of links by what they carry and by the flows on them. */
    long cost(final int[] crossed) {
        long cost = 0;
        for (int link : crossed) {
            final double load = capacity[link] - available[link] / (users(link) + 1);
            cost += LinkCost.of((long) load, (long) capacity[link]);
        }
        return cost;
    }

    private int users(final int link) {
        return usersOf.get(link).size();
    }

    /** What is known of a link that limits a flow. */
    Bottleneck bottleneck(final Link link) {
        return new Bottleneck(link, background.getOrDefault(link.source(), Bandwidth.ZERO),
            users(index.get(link.source())));
    }

    /** Rates of all flows, in order of addition; infinite for a flow that crosses no link and has no limit. */
    List<Share> fill() {
        final var filling = new Filling(channels.stream().map(channel -> channel.links).toArray(int[][]::new),
            channels.stream().mapToDouble(channel -> channel.limit).toArray(), available);
        return IntStream.range(0, channels.size()).mapToObj(flow -> share(filling, flow, filling.binding(flow)))
            .toList();
    }

    /** Rates of some flows, given by their positions, with the limits that they have. */
    List<Share> fill(final int[] positions) {
        return fill(positions,
            Arrays.stream(positions).mapToDouble(position -> channels.get(position).limit).toArray());
    }

    /** Rates of some flows as if they wanted as much as is said; the others want what they do. */
    List<Share> fill(final int[] positions, final List<Optional<Bandwidth>> wanted) {
        return fill(positions, wanted.stream().mapToDouble(FairShares::limit).toArray());
    }

    private List<Share> fill(final int[] positions, final double[] limits) {
        final var part = new Part();
        for (int i = 0; i < positions.length; i++) {
            part.ask(channels.get(positions[i]), limits[i]);
        }
        part.grow();
        final var filling = part.filled();
        return IntStream.range(0, positions.length).mapToObj(flow -> share(filling, flow,
            filling.binding(flow) == Filling.NONE ? Filling.NONE : part.links.get(filling.binding(flow)))).toList();
    }

    private Share share(final Filling filling, final int flow, final int link) {
        return new Share(filling.rate(flow), link == Filling.NONE ? Optional.empty() : Optional.of(links.get(link)));
    }

    private static double limit(final Optional<Bandwidth> wanted) {
        return wanted.map(rate -> (double) rate.bitsPerSecond()).orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * The flows that some flows share a link with which may be full, and so on: what all others do makes no difference
     * to these. A link may be full if its flows want more than it has.
     */
    private final class Part {
        private final Map<Channel, Integer> flows = new IdentityHashMap<>();
        private final List<Channel> members = new ArrayList<>();
        private final List<Double> limits = new ArrayList<>();
        private final Set<Integer> asked = new HashSet<>();
        private final Map<Integer, Double> more = new HashMap<>();
        private final Map<Integer, Integer> numbers = new HashMap<>();
        private final List<Integer> links = new ArrayList<>();

        /** Adds a flow as if its limit were another one. */
        void ask(final Channel channel, final double limit) {
            add(channel, limit);
            for (int link : channel.links) {
                if (Double.isInfinite(limit)) {
                    asked.add(link);
                } else if (limit > channel.limit) {
                    more.merge(link, limit - channel.limit, Double::sum);
                }
            }
        }

        private void add(final Channel channel, final double limit) {
            if (flows.putIfAbsent(channel, members.size()) == null) {
                members.add(channel);
                limits.add(limit);
            }
        }

        void grow() {
            final var seen = new HashSet<Integer>();
            for (int next = 0; next < members.size(); next++) {
                for (int link : members.get(next).links) {
                    if (seen.add(link) && mayBeFull(link)) {
                        links.add(link);
                        usersOf.get(link).forEach(user -> add(user, user.limit));
                    }
                }
            }
            Collections.sort(links);
            links.forEach(link -> numbers.put(link, numbers.size()));
        }

        Filling filled() {
            return new Filling(members.stream().map(channel -> Arrays.stream(channel.links)
                .filter(numbers::containsKey).map(numbers::get).toArray()).toArray(int[][]::new),
                limits.stream().mapToDouble(Double::doubleValue).toArray(),
                links.stream().mapToDouble(link -> available[link]).toArray());
        }

        /** With the limits that were given; sums may be off by a rounding, so that a link that is just full counts. */
        private boolean mayBeFull(final int link) {
            return unlimited[link] > 0 || asked.contains(link)
                || wanted[link] + more.getOrDefault(link, 0.0) > available[link] * JUST_FULL;
        }
    }
}
