// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What max-min fairness would give to flows that are added and removed, for one choice to be compared with another. A
 * flow is taken to want as much as it can get in both directions: which way it carries its data is not known before it
 * has carried any.
 *
 * <p>Flows that cross the same links and have the same limit get the same: they are of one {@link Channel}, so that
 * time goes by the paths in use and not by the flows on them.
 *
 * <p>Progressive filling in doubles ({@link Filling}); {@link io.sluice.graph.MaxMin} computes the same exactly and
 * more slowly.
 */
final class FairShares {
    /** Of a link that others fill, new flows will still get a part. */
    private static final double LEAST_PART = 0.05;
    private static final double JUST_FULL = 1 - 1e-9;

    private final Map<PortId, Integer> index;
    private final Map<PortId, Bandwidth> background;
    private final List<Link> links;
    private final double[] available;
    private final double[] capacity;
    /** The channels that have flows, and how many. */
    private final Map<Channel, Integer> flows;
    private final Map<Integer, Set<Channel>> channelsOf = new HashMap<>();
    /** Of each link, the flows on it, what those of them want together that have a limit, and how many have none. */
    private final int[] users;
    private final double[] wanted;
    private final int[] unlimited;

    /** The links of a flow in both directions, and the most it carries; a value. */
    static final class Channel {
        private final int[] links;
        private final double limit;
        private final int hash;

        private Channel(final int[] links, final double limit) {
            this.links = links;
            this.limit = limit;
            hash = 31 * Arrays.hashCode(links) + Double.hashCode(limit);
        }

        @Override
        public boolean equals(final Object object) {
            return object instanceof Channel other && hash == other.hash && Double.compare(limit, other.limit) == 0
                && Arrays.equals(links, other.links);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** What one flow gets, and the link that limits it, if one does. */
    record Share(double rate, Optional<Link> bindingLink) { }

    /** Begins without flows. */
    FairShares(final FabricSnapshot fabric, final Map<PortId, Bandwidth> background) {
        this.background = background;
        links = fabric.links();
        index = new HashMap<>();
        flows = new LinkedHashMap<>();
        available = new double[links.size()];
        capacity = new double[links.size()];
        users = new int[links.size()];
        wanted = new double[links.size()];
        unlimited = new int[links.size()];
        for (int i = 0; i < available.length; i++) {
            final var link = links.get(i);
            index.put(link.source(), i);
            capacity[i] = link.capacity().bitsPerSecond();
            final double left = capacity[i]
                - background.getOrDefault(link.source(), Bandwidth.ZERO).bitsPerSecond();
            available[i] = Math.max(left, capacity[i] * LEAST_PART);
        }
    }

    /** Begins with the flows that {@code other} has now; the channels of one are those of the other. */
    FairShares(final FairShares other) {
        index = other.index;
        background = other.background;
        links = other.links;
        available = other.available;
        capacity = other.capacity;
        flows = new LinkedHashMap<>(other.flows);
        other.channelsOf.forEach((link, channels) -> channelsOf.put(link, new LinkedHashSet<>(channels)));
        users = other.users.clone();
        wanted = other.wanted.clone();
        unlimited = other.unlimited.clone();
    }

    /** The channel of a flow there and back; links that are not there now are left out. */
    Channel channel(final Path forward, final Path backward, final Optional<Bandwidth> limit) {
        return new Channel(Stream.concat(forward.links().stream(), backward.links().stream())
            .map(link -> index.get(link.source())).filter(Objects::nonNull).mapToInt(Integer::intValue).toArray(),
            limit.map(rate -> (double) rate.bitsPerSecond()).orElse(Double.POSITIVE_INFINITY));
    }

    Channel channel(final FlowView flow) {
        return channel(flow.forward(), flow.backward(), flow.limit());
    }

    /** Adds a flow. */
    void add(final Channel channel) {
        if (flows.merge(channel, 1, Integer::sum) == 1) {
            for (int link : channel.links) {
                channelsOf.computeIfAbsent(link, added -> new LinkedHashSet<>()).add(channel);
            }
        }
        count(channel, 1);
    }

    /** Takes a flow out. */
    void remove(final Channel channel) {
        if (flows.computeIfPresent(channel, (same, count) -> count == 1 ? null : count - 1) == null) {
            for (int link : channel.links) {
                channelsOf.get(link).remove(channel);
            }
        }
        count(channel, -1);
    }

    private void count(final Channel channel, final int change) {
        for (int link : channel.links) {
            users[link] += change;
            if (Double.isInfinite(channel.limit)) {
                unlimited[link] += change;
            } else {
                wanted[link] += change * channel.limit;
            }
        }
    }

    /** How many flows a channel has. */
    int flows(final Channel channel) {
        return flows.getOrDefault(channel, 0);
    }

    /** What another flow of a channel, of no limit, could hope for: the smallest equal split. */
    double estimate(final Channel channel) {
        double least = Double.POSITIVE_INFINITY;
        for (int link : channel.links) {
            least = Math.min(least, available[link] / (users[link] + 1));
        }
        return least;
    }

    /** Cost of a channel's links by what they carry and by the flows on them. */
    long cost(final Channel channel) {
        long cost = 0;
        for (int link : channel.links) {
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

    /** What a flow of each channel gets; infinite for one that crosses no link and has no limit. */
    Map<Channel, Share> fill() {
        return whole().shares();
    }

    /** The same of these channels, and of all that what they do may make a difference to. */
    Map<Channel, Share> fill(final Collection<Channel> channels) {
        return new Part(channels).shares();
    }

    /** What the flows of all channels get, for one of them to be looked at. */
    Part whole() {
        return new Part();
    }

    /**
     * What the flows of some channels get, and those of all channels that these share a link with which may be full,
     * and so on: what all others do makes no difference to them. A link may be full if its flows want more than it has.
     */
    final class Part {
        private final List<Channel> members = new ArrayList<>();
        private final BitSet shared = new BitSet();
        private final int[] numbered;
        private final Filling filling;

        private Part() {
            members.addAll(flows.keySet());
            channelsOf.keySet().stream().filter(this::mayBeFull).forEach(shared::set);
            numbered = shared.stream().toArray();
            filling = filled();
        }

        private Part(final Collection<Channel> channels) {
            final var known = new HashSet<Channel>();
            channels.stream().filter(known::add).forEach(members::add);
            final var seen = new BitSet();
            for (int next = 0; next < members.size(); next++) {
                for (int link : members.get(next).links) {
                    if (!seen.get(link) && mayBeFull(link)) {
                        shared.set(link);
                        channelsOf.get(link).stream().filter(known::add).forEach(members::add);
                    }
                    seen.set(link);
                }
            }
            numbered = shared.stream().toArray();
            filling = filled();
        }

        private Filling filled() {
            final int[] numbers = new int[shared.length()];
            for (int number = 0; number < numbered.length; number++) {
                numbers[numbered[number]] = number;
            }
            final int[][] crossed = new int[members.size()][];
            final int[] counts = new int[members.size()];
            final double[] limits = new double[members.size()];
            for (int i = 0; i < counts.length; i++) {
                crossed[i] = crossed(members.get(i), numbers);
                counts[i] = flows(members.get(i));
                limits[i] = members.get(i).limit;
            }
            final double[] room = new double[numbered.length];
            for (int number = 0; number < room.length; number++) {
                room[number] = available[numbered[number]];
            }
            return new Filling(crossed, counts, limits, room);
        }

        SortedRates rates() {
            return filling.sorted();
        }

        Share share(final Channel channel) {
            return share(members.indexOf(channel));
        }

        private Share share(final int member) {
            final var binding = filling.binding(member);
            return new Share(filling.rate(member), binding.isEmpty() ? Optional.empty()
                : Optional.of(links.get(numbered[binding.getAsInt()])));
        }

        private Map<Channel, Share> shares() {
            final var shares = new LinkedHashMap<Channel, Share>();
            for (int i = 0; i < members.size(); i++) {
                shares.put(members.get(i), share(i));
            }
            return shares;
        }

        /** The links of a channel that are shared, as the filling numbers them. */
        private int[] crossed(final Channel channel, final int[] numbers) {
            final int[] crossed = new int[channel.links.length];
            int count = 0;
            for (int link : channel.links) {
                if (shared.get(link)) {
                    crossed[count++] = numbers[link];
                }
            }
            return Arrays.copyOf(crossed, count);
        }

        /** Sums may be off by a rounding, so that a link that is just full counts. */
        private boolean mayBeFull(final int link) {
            return unlimited[link] > 0 || wanted[link] > available[link] * JUST_FULL;
        }
    }
}
