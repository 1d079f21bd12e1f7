// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import io.sluice.graph.MaxMin;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
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
            final var shares = new FairShares(scene.world());
            final var flows = new ArrayList<FlowView>();
            for (int step = 0; step < 8; step++) {
                if (!flows.isEmpty() && random.nextInt(4) == 0) {
                    final int gone = random.nextInt(flows.size());
                    shares.remove(gone);
                    flows.remove(gone);
                } else {
                    final var flow = flow(scene, random);
                    shares.add(flow.forward(), flow.backward(), flow.limit());
                    flows.add(flow);
                }
            }
            assertEqualToExact(scene, flows, shares.fill(), "seed " + seed);
        }
    }

    /** The slow way: the flows are added with the other limits, and everything is filled. */
    @Test
    void someFlowsGetTheSameIfOnlyWhatTheyAffectIsFilled() {
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var scene = Scene.random(random, 9);
            final var shares = new FairShares(scene.world());
            final var whole = new FairShares(scene.world());
            final var positions = new ArrayList<Integer>();
            final var limits = new ArrayList<Optional<Bandwidth>>();
            for (int position = 0; position < 12; position++) {
                final var flow = flow(scene, random);
                shares.add(flow.forward(), flow.backward(), flow.limit());
                final var other = random.nextBoolean() ? Optional.<Bandwidth>empty()
                    : Optional.of(new Bandwidth(random.nextInt(20_000_000)));
                final boolean asked = random.nextInt(3) == 0;
                whole.add(flow.forward(), flow.backward(), asked ? other : flow.limit());
                if (asked) {
                    positions.add(position);
                    limits.add(other);
                }
            }
            final var expected = whole.fill();
            final var filled = shares.fill(positions.stream().mapToInt(Integer::intValue).toArray(), limits);
            for (int i = 0; i < positions.size(); i++) {
                final var share = expected.get(positions.get(i));
                assertEquals(share.rate(), filled.get(i).rate(), share.rate() * 1e-9, "seed " + seed);
                assertEquals(share.bindingLink(), filled.get(i).bindingLink(), "seed " + seed);
            }
        }
    }

    @Test
    void flowsOfTheWorldComeFirst() {
        final var scene = new Scene(Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(10))));
        final var path = scene.shortest(1, 2).getFirst();
        scene.keep(path);

        final var shares = new FairShares(scene.world());
        shares.add(path, new PathFinder(scene.fabric).reversed(path), Optional.of(Bandwidth.ofMegabits(2)));

        assertEquals(List.of(8e6, 2e6), shares.fill().stream().map(FairShares.Share::rate).toList());
        assertEquals(Optional.of(path.links().getFirst()), shares.fill().getFirst().bindingLink());
        assertEquals(Optional.empty(), shares.fill().getLast().bindingLink());
    }

    @Test
    void anotherFlowGetsAtLeastItsEstimate() {
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var scene = Scene.random(random, 7);
            final var shares = new FairShares(scene.world());
            for (int i = random.nextInt(6); i > 0; i--) {
                final var flow = flow(scene, random);
                shares.add(flow.forward(), flow.backward(), flow.limit());
            }
            final var flow = flow(scene, random);
            final double estimate = shares.estimate(shares.crossed(flow.forward(), flow.backward()));
            shares.add(flow.forward(), flow.backward(), Optional.empty());
            final double rate = shares.fill().getLast().rate();
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
        final var shares = new FairShares(scene.world());
        shares.add(here, here, Optional.empty());
        shares.add(here, here, Optional.of(Bandwidth.ofMegabits(3)));

        assertEquals(List.of(Double.POSITIVE_INFINITY, 3e6),
            shares.fill().stream().map(FairShares.Share::rate).toList());
    }

    @Test
    void linkFilledByOthersStillGivesAPart() {
        final var fabric = Topologies.line(2, 1, 1, Rates.equal(Bandwidth.ofMegabits(10)));
        final var scene = new Scene(fabric, Map.of(fabric.links().getFirst().source(), Bandwidth.ofMegabits(10)));

        assertEquals(0.5e6, estimate(scene, scene.shortest(1, 2).getFirst()));
    }

    private static double estimate(final Scene scene, final Path path) {
        final var shares = new FairShares(scene.world());
        return shares.estimate(shares.crossed(path, new PathFinder(scene.fabric).reversed(path)));
    }

    private static long cost(final Scene scene, final Path path) {
        final var shares = new FairShares(scene.world());
        return shares.cost(shares.crossed(path, new PathFinder(scene.fabric).reversed(path)));
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
            final List<FairShares.Share> shares, final String seed) {
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
