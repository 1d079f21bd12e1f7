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
    private final List<Filling.Channel> channels = new ArrayList<>();

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
        channels.add(new Filling.Channel(crossed,
            limit.map(rate -> (double) rate.bitsPerSecond()).orElse(Double.POSITIVE_INFINITY)));
    }

    /** Takes the flow at {@code position}, in order of addition, out; those behind it move up. */
    void remove(final int position) {
        for (int link : channels.remove(position).links()) {
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
        final var filling = new Filling(channels, available, users);
        return IntStream.range(0, channels.size()).mapToObj(flow -> new Share(filling.rate(flow),
            filling.binding(flow).isPresent() ? Optional.of(links.get(filling.binding(flow).getAsInt()))
                : Optional.empty())).toList();
    }
}
