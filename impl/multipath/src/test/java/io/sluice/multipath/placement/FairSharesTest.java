// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import io.sluice.graph.MaxMin;
import io.sluice.multipath.placement.FairShares.Share;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FairSharesTest {
    private static final int CASES = 3_000;
    /** {@link MaxMin} rounds down to whole bits, so that a little is left for others. */
    private static final double TOLERANCE = 8;

    @Test
    void ratesAreThoseOfExactFillingWhileFlowsComeAndGo() {
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var scene = Scene.random(random, 7);
            final var shares = scene.world().shares();
            final var flows = new ArrayList<FlowView>();
            for (int step = 0; step < 8; step++) {
                if (!flows.isEmpty() && random.nextInt(4) == 0) {
                    shares.remove(shares.channel(flows.remove(random.nextInt(flows.size()))));
                } else {
                    flows.add(random.nextInt(3) > 0 || flows.isEmpty() ? flow(scene, random)
                        : flows.get(random.nextInt(flows.size())));
                    shares.add(shares.channel(flows.getLast()));
                }
            }
            final var filled = shares.fill();
            assertEqualToExact(scene, flows, flows.stream().map(flow -> filled.get(shares.channel(flow))).toList(),
                "seed " + seed);
        }
    }

    /** The slow way: everything is filled. */
    @Test
    void someFlowsGetTheSameIfOnlyWhatTheyAffectIsFilled() {
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var scene = Scene.random(random, 9);
            final var shares = scene.world().shares();
            final var asked = new ArrayList<FairShares.Channel>();
            for (int flow = 0; flow < 12; flow++) {
                final var channel = shares.channel(flow(scene, random));
                shares.add(channel);
                if (random.nextInt(3) == 0) {
                    asked.add(channel);
                }
            }
            final var expected = shares.fill();
            final var filled = shares.fill(asked);
            for (var channel : asked) {
                final var share = expected.get(channel);
                assertEquals(share.rate(), filled.get(channel).rate(), share.rate() * 1e-9, "seed " + seed);
                assertEquals(share.bindingLink(), filled.get(channel).bindingLink(), "seed " + seed);
            }
        }
    }

    /** The slow way: the flow is added. */
    @Test
    void oneMoreFlowOfAChannelIsTriedOutAsIfItWereAdded() {
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var scene = Scene.random(random, 7);
            final var shares = scene.world().shares();
            final var others = new ArrayList<FairShares.Channel>();
            for (int flow = 0; flow < 12; flow++) {
                final var channel = shares.channel(flow(scene, random));
                if (random.nextInt(3) > 0) {
                    shares.add(channel);
                }
                if (random.nextInt(3) == 0) {
                    others.add(channel);
                }
            }
            final var all = shares.whole(others);
            for (var other : others) {
                final var tried = all.ratesWith(other);
                shares.add(other);
                final var filled = shares.fill();
                shares.remove(other);
                for (var channel : filled.keySet()) {
                    assertEquals(filled.get(channel).rate(), tried.share(channel).rate(),
                        filled.get(channel).rate() * 1e-9, "seed " + seed);
                }
            }
        }
    }

    @Test
    void aCopyIsOnItsOwn() {
        final var scene = new Scene(Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(10))));
        scene.keep(scene.shortest(1, 2).getFirst());
        final var shares = scene.world().shares();
        final var channel = shares.fill().keySet().iterator().next();
        final var copy = new FairShares(shares);
        copy.add(channel);

        assertEquals(List.of(10e6, 5e6), Stream.of(shares, copy).map(FairShares::fill)
            .map(filled -> filled.get(channel).rate()).toList());
        copy.remove(channel);
        copy.remove(channel);
        assertEquals(Map.of(), copy.fill());
        assertEquals(1, shares.flows(channel));
    }

    @Test
    void flowsOfTheWorldCount() {
        final var scene = new Scene(Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(10))));
        final var path = scene.shortest(1, 2).getFirst();
        scene.keep(path);

        final var shares = scene.world().shares();
        final var known = shares.fill().keySet().iterator().next();
        final var added = shares.channel(path, new PathFinder(scene.fabric).reversed(path),
            Optional.of(Bandwidth.ofMegabits(2)));
        shares.add(added);

        assertEquals(Map.of(known, new Share(8e6, Optional.of(path.links().getFirst())),
            added, new Share(2e6, Optional.empty())), shares.fill());
    }

    @Test
    void anotherFlowGetsAtLeastItsEstimate() {
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var scene = Scene.random(random, 7);
            final var shares = scene.world().shares();
            for (int i = random.nextInt(6); i > 0; i--) {
                shares.add(shares.channel(flow(scene, random)));
            }
            final var flow = flow(scene, random);
            final var channel = shares.channel(flow.forward(), flow.backward(), Optional.empty());
            final double estimate = shares.estimate(channel);
            shares.add(channel);
            final double rate = shares.fill().get(channel).rate();
            assertTrue(rate >= estimate * (1 - 1e-9), "seed " + seed + ": " + rate + " < " + estimate);
        }
    }

    @Test
    void estimateIsTheSmallestEqualSplit() {
        final var scene = new Scene(Topologies.line(3, 1, 1, Rates.equal(Bandwidth.ofMegabits(12))));
        scene.keep(scene.shortest(1, 2).getFirst());
        scene.keep(scene.shortest(1, 2).getFirst());

        assertEquals(4e6, estimate(scene, scene.shortest(1, 3).getFirst()));
    }

    @Test
    void costGrowsWithTheFlowsOnAPath() {
        final var scene = new Scene(Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(12))));
        final var path = scene.shortest(1, 2).getFirst();

        assertEquals(2 * LinkCost.IDLE, cost(scene, path));
        scene.keep(path);
        assertEquals(4 * LinkCost.IDLE, cost(scene, path));
    }

    @Test
    void flowOverNoLinkIsBoundedByItsLimitAlone() {
        final var scene = new Scene(Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(10))));
        final var here = new Path(scene.edge(1), scene.edge(1), List.of());
        final var shares = scene.world().shares();
        Stream.of(Optional.<Bandwidth>empty(), Optional.of(Bandwidth.ofMegabits(3))).forEach(limit ->
            shares.add(shares.channel(here, here, limit)));

        assertEquals(List.of(Double.POSITIVE_INFINITY, 3e6),
            shares.fill().values().stream().map(Share::rate).toList());
    }

    @Test
    void linkFilledByOthersStillGivesAPart() {
        final var fabric = Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(10)));
        final var scene = new Scene(fabric, Map.of(fabric.links().getFirst().source(), Bandwidth.ofMegabits(10)));

        assertEquals(0.5e6, estimate(scene, scene.shortest(1, 2).getFirst()));
    }

    private static double estimate(final Scene scene, final Path path) {
        final var shares = scene.world().shares();
        return shares.estimate(shares.channel(path, new PathFinder(scene.fabric).reversed(path), Optional.empty()));
    }

    private static long cost(final Scene scene, final Path path) {
        final var shares = scene.world().shares();
        return shares.cost(shares.channel(path, new PathFinder(scene.fabric).reversed(path), Optional.empty()));
    }

    private static FlowView flow(final Scene scene, final Random random) {
        final int hosts = scene.fabric.hosts().size();
        final int from = 1 + random.nextInt(hosts);
        final int to = 1 + (from + random.nextInt(hosts - 1)) % hosts;
        final var paths = scene.shortest(from, to);
        final var path = paths.get(random.nextInt(paths.size()));
        return new FlowView(0, path, new PathFinder(scene.fabric).reversed(path), random.nextInt(3) > 0
            ? Optional.empty() : Optional.of(new Bandwidth(random.nextInt(20_000_000))));
    }

    private static void assertEqualToExact(final Scene scene, final List<FlowView> flows,
            final List<Share> shares, final String seed) {
        final var links = scene.fabric.links();
        final var capacities = links.stream().mapToLong(link -> {
            final long capacity = link.capacity().bitsPerSecond();
            return Math.max(capacity / 20, capacity - link.load().bitsPerSecond());
        }).toArray();
        final var exact = MaxMin.fill(capacities, flows.stream().map(flow -> {
            final var arcs = new ArrayList<Integer>();
            flow.forward().links().forEach(link -> arcs.add(links.indexOf(link)));
            flow.backward().links().forEach(link -> arcs.add(links.indexOf(link)));
            return new MaxMin.Flow(arcs, 1, flow.limit().isEmpty() ? OptionalLong.empty()
                : OptionalLong.of(flow.limit().orElseThrow().bitsPerSecond()));
        }).toList());
        for (int i = 0; i < flows.size(); i++) {
            assertEquals(exact.get(i).rate(), shares.get(i).rate(), TOLERANCE, seed + ", flow " + i);
            assertEquals(exact.get(i).bindingArc().isPresent(), shares.get(i).bindingLink().isPresent(), seed);
        }
    }
}
