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
        return whole(List.of()).shares();
    }

    /** The same of these channels, and of all that what they do may make a difference to. */
    Map<Channel, Share> fill(final Collection<Channel> channels) {
        return part(channels).shares();
    }

    /**
     * All channels, to see what their flows get.
     *
     * @param others channels that may not have flows, to see what would change if one of them had one more
     */
    Part whole(final Collection<Channel> others) {
        final var members = new LinkedHashSet<>(flows.keySet());
        members.addAll(others);
        final var shared = new BitSet();
        channelsOf.keySet().stream().filter(this::mayBeFull).forEach(shared::set);
        others.forEach(channel -> Arrays.stream(channel.links).forEach(shared::set));
        return new Part(List.copyOf(members), shared);
    }

    /**
     * Some channels, and those of all channels that these share a link with which may be full, and so on: what all
     * others do makes no difference to them.
     */
    private Part part(final Collection<Channel> channels) {
        final var known = new LinkedHashSet<>(channels);
        final var members = new ArrayList<>(known);
        final var shared = new BitSet();
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
        return new Part(members, shared);
    }

    /** A link may be full if its flows want more than it has; sums may be off by a rounding, so just full counts. */
    private boolean mayBeFull(final int link) {
        return unlimited[link] > 0 || wanted[link] > available[link] * JUST_FULL;
    }

    /** Some channels as they are now, numbered for filling. */
    final class Part {
        private final List<Channel> members;
        private final int[] counts;
        private final int[] shared;
        private final Filling filling;

        private Part(final List<Channel> members, final BitSet shared) {
            this.members = members;
            this.shared = shared.stream().toArray();
            final int[] numbers = new int[shared.length()];
            final double[] room = new double[this.shared.length];
            for (int number = 0; number < room.length; number++) {
                numbers[this.shared[number]] = number;
                room[number] = available[this.shared[number]];
            }
            counts = new int[members.size()];
            final int[][] crossed = new int[counts.length][];
            final double[] limits = new double[counts.length];
            for (int i = 0; i < counts.length; i++) {
                final var member = members.get(i);
                crossed[i] = crossed(member, shared, numbers);
                counts[i] = flows(member);
                limits[i] = member.limit;
            }
            filling = new Filling(crossed, limits, room);
        }

        private static int[] crossed(final Channel channel, final BitSet shared, final int[] numbers) {
            final int[] crossed = new int[channel.links.length];
            int count = 0;
            for (int link : channel.links) {
                if (shared.get(link)) {
                    crossed[count++] = numbers[link];
                }
            }
            return Arrays.copyOf(crossed, count);
        }

        /** What all flows get. */
        Rates rates() {
            return new Rates(filling.fill(counts));
        }

        /** What all flows would get if a channel, which is in it, had one more. */
        Rates ratesWith(final Channel channel) {
            final int[] more = counts.clone();
            more[members.indexOf(channel)]++;
            return new Rates(filling.fill(more));
        }

        private Map<Channel, Share> shares() {
            final var rates = rates();
            final var shares = new LinkedHashMap<Channel, Share>();
            for (int i = 0; i < members.size(); i++) {
                shares.put(members.get(i), rates.share(i));
            }
            return shares;
        }

        /** What flows get. */
        final class Rates {
            private final Filling.Filled filled;

            private Rates(final Filling.Filled filled) {
                this.filled = filled;
            }

            SortedRates sorted() {
                return filled.sorted();
            }

            Share share(final Channel channel) {
                return share(members.indexOf(channel));
            }

            private Share share(final int member) {
                final var binding = filled.binding(member);
                return new Share(filled.rate(member), binding.isEmpty() ? Optional.empty()
                    : Optional.of(links.get(shared[binding.getAsInt()])));
            }
        }
    }
}
