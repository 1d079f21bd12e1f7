// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Port;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Networks to test on. Switches and hosts are numbered in the order in which the comments name them. */
public final class Topologies {
    /**
     * Capacities by layer, per direction.
     *
     * @param host between host and edge switch
     * @param edge between edge and aggregation, or leaf and spine
     * @param core between aggregation and core
     */
    public record Rates(Bandwidth host, Bandwidth edge, Bandwidth core) {
        /** The same capacity on all layers. */
        public static Rates equal(final Bandwidth rate) {
            return new Rates(rate, rate, rate);
        }
    }

    private Topologies() {
        // functions only
    }

    /**
     * A fat-tree: k pods with k/2 edge, then k/2 aggregation switches; then (k/2)^2 core switches. k/2 hosts on each
     * edge switch.
     *
     * @param k ports of a switch in the fat-tree without parallel links, even
     * @param parallel links between an edge and an aggregation switch of one pod, from 1
     * @throws IllegalArgumentException if {@code k} is odd
     */
    public static FabricSnapshot fatTree(final int k, final int parallel, final Rates rates) {
        if (k < 2 || k % 2 != 0) {
            throw new IllegalArgumentException("a fat-tree's k is even and positive, not " + k);
        }
        final int half = k / 2;
        final var builder = new TopologyBuilder();
        final var aggregation = new ArrayList<List<SwitchId>>();
        for (int pod = 0; pod < k; pod++) {
            aggregation.add(addPod(builder, half, parallel, rates));
        }
        for (int core = 0; core < half * half; core++) {
            final var top = builder.addSwitch();
            for (var pod : aggregation) {
                builder.connect(pod.get(core / half), top, rates.core(), 1);
            }
        }
        return builder.build();
    }

    /**
     * The testbed of Guillen et al., figure 10: two pods of two edge and two aggregation switches, then two core
     * switches, each linked to all aggregation switches; two hosts on each edge switch. Each edge switch has four
     * uplinks of 100 Mbit/s, two to each aggregation switch; the core runs at 1 Gbit/s.
     *
     * @param host capacity of the hosts' links, which the paper doesn't state
     */
    public static FabricSnapshot figure10(final Bandwidth host) {
        final var rates = new Rates(host, Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(1000));
        final var builder = new TopologyBuilder();
        final var aggregation = new ArrayList<SwitchId>();
        for (int pod = 0; pod < 2; pod++) {
            aggregation.addAll(addPod(builder, 2, 2, rates));
        }
        for (int core = 0; core < 2; core++) {
            final var top = builder.addSwitch();
            aggregation.forEach(switchId -> builder.connect(switchId, top, rates.core(), 1));
        }
        return builder.build();
    }

    /** Leaves with {@code hosts} hosts each, then spines; each leaf has {@code parallel} links to each spine. */
    public static FabricSnapshot leafSpine(final int leaves, final int spines, final int parallel, final int hosts,
            final Rates rates) {
        final var builder = new TopologyBuilder();
        final var bottom = builder.addSwitches(leaves);
        final var top = builder.addSwitches(spines);
        for (var leaf : bottom) {
            builder.addHosts(leaf, hosts, rates.host());
            top.forEach(spine -> builder.connect(leaf, spine, rates.edge(), parallel));
        }
        return builder.build();
    }

    /** Switches in a row, with {@code hosts} hosts each; neighbours share {@code parallel} links. */
    public static FabricSnapshot line(final int switches, final int parallel, final int hosts, final Rates rates) {
        final var builder = new TopologyBuilder();
        final var row = builder.addSwitches(switches);
        for (int at = 0; at < switches; at++) {
            builder.addHosts(row.get(at), hosts, rates.host());
            if (at > 0) {
                builder.connect(row.get(at - 1), row.get(at), rates.edge(), parallel);
            }
        }
        return builder.build();
    }

    /**
     * A connected multigraph, drawn from {@code random}: a random tree and {@code extra} cables between random pairs of
     * different switches, so that parallel cables occur. One host on each switch; rates 1..10 times {@code unit}.
     *
     * @param switches from 2
     */
    public static FabricSnapshot random(final Random random, final int switches, final int extra,
            final Bandwidth unit) {
        final var builder = new TopologyBuilder();
        final var all = builder.addSwitches(switches);
        for (int at = 0; at < switches; at++) {
            builder.addHosts(all.get(at), 1, unit);
            if (at > 0) {
                builder.connect(all.get(at), all.get(random.nextInt(at)), randomRate(random, unit), 1);
            }
        }
        for (int cable = 0; cable < extra; cable++) {
            final int one = random.nextInt(switches);
            final int other = (one + 1 + random.nextInt(switches - 1)) % switches;
            builder.connect(all.get(one), all.get(other), randomRate(random, unit), 1);
        }
        return builder.build();
    }

    /** The next snapshot, after the cables of {@code lost} (either direction names a cable) lost their carrier. */
    public static FabricSnapshot without(final FabricSnapshot snapshot, final Collection<Link> lost) {
        final var ends = lost.stream().flatMap(link -> Stream.of(link.source(), link.destination()))
            .collect(Collectors.toCollection(HashSet::new));
        final var ports = snapshot.ports().values().stream()
            .map(port -> ends.contains(port.id())
                ? new Port(port.id(), port.name(), false, port.capacity(), Bandwidth.ZERO, Bandwidth.ZERO) : port)
            .collect(Collectors.toMap(Port::id, port -> port));
        final var links = snapshot.links().stream()
            .filter(link -> !ends.contains(link.source()) && !ends.contains(link.destination())).toList();
        return new FabricSnapshot(snapshot.version() + 1, snapshot.switches(), ports, links, snapshot.hosts());
    }

    /** One direction of each cable, in order. */
    public static List<Link> cables(final FabricSnapshot snapshot) {
        return snapshot.links().stream().filter(link -> link.source().compareTo(link.destination()) < 0).toList();
    }

    private static List<SwitchId> addPod(final TopologyBuilder builder, final int width, final int parallel,
            final Rates rates) {
        final var edges = builder.addSwitches(width);
        final var aggregation = builder.addSwitches(width);
        for (var edge : edges) {
            builder.addHosts(edge, width, rates.host());
            aggregation.forEach(above -> builder.connect(edge, above, rates.edge(), parallel));
        }
        return aggregation;
    }

    private static Bandwidth randomRate(final Random random, final Bandwidth unit) {
        return new Bandwidth(Math.multiplyExact(unit.bitsPerSecond(), 1 + random.nextInt(10)));
    }
}
