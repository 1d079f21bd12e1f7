// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import io.sluice.multipath.placement.SinglePath.Ends;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Beside the slow review, which computes all rates anew for each flow and each of its paths. */
class PathReviewTest {
    private static final int CASES = 200;

    private record Moved(long id, List<?> forward, Bandwidth before, Bandwidth after) { }

    @Test
    void theMovesAreThoseOfTheSlowReview() {
        int moves = 0;
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var scene = Scene.random(random, 8);
            final var finder = new PathFinder(scene.fabric);
            final var reviewables = reviewables(scene, finder, random);
            final var cached = new HashMap<Ends, List<Option>>();
            final Function<Ends, List<Option>> options = ends -> cached.computeIfAbsent(ends, pair ->
                finder.shortest(pair.client(), pair.server(), 16).stream().map(path ->
                    new Option(PathReview.anyAt(pair.server()), path, finder.reversed(path))).toList());
            final var slow = slow(scene.world(), reviewables, options);
            final var fast = new PathReview(scene.world(), Scene.SETTINGS, options).moves(reviewables).stream()
                .map(PathReviewTest::moved).toList();
            assertEquals(slow, fast, "seed " + seed);
            moves += fast.size();
        }
        assertTrue(moves > CASES / 4, "only " + moves + " moves");
    }

    private static List<Reviewable> reviewables(final Scene scene, final PathFinder finder, final Random random) {
        final var reviewables = new ArrayList<Reviewable>();
        final int hosts = scene.fabric.hosts().size();
        for (int i = 0; i < 10; i++) {
            final int from = 1 + random.nextInt(hosts);
            final int to = 1 + random.nextInt(hosts);
            final var paths = scene.edge(from).equals(scene.edge(to)) ? List.<Path>of()
                : finder.shortest(scene.edge(from), scene.edge(to), 16);
            if (!paths.isEmpty()) {
                final var path = paths.get(random.nextInt(paths.size()));
                final var limit = random.nextInt(3) > 0 ? Optional.<Bandwidth>empty()
                    : Optional.of(new Bandwidth(random.nextInt(5_000_000)));
                final var flow = new FlowView(100 + i, path, finder.reversed(path), limit);
                scene.flows.add(flow);
                reviewables.add(new Reviewable(flow, scene.edge(from), scene.edge(to), Long.MAX_VALUE,
                    Strategy.JOINT));
            }
        }
        return reviewables;
    }

    private static List<Moved> slow(final World world, final List<Reviewable> reviewables,
            final Function<Ends, List<Option>> options) {
        final var first = rates(world);
        final var moves = new ArrayList<Moved>();
        var now = world;
        for (var reviewable : reviewables.stream().sorted(Comparator.comparingDouble(flow ->
                first.get(flow.flow().id()))).toList()) {
            final var flow = reviewable.flow();
            final var ways = options.apply(Ends.of(reviewable));
            final double before = rates(now).get(flow.id());
            final var shares = new World(now.fabric(), now.flows().stream()
                .filter(other -> other.id() != flow.id()).toList(), now.background()).shares();
            final var best = new JointPlacement(shares, List.of(ways), new ServerRoom(List.of(new Piece(1,
                List.of(ways.getFirst().candidate())))), flow.limit()).choose().getFirst().option();
            final double after = shares.fill().get(shares.channel(best.forward(), best.backward(), flow.limit()))
                .rate();
            if (after > before && after * 1e6 >= before * (1e6 + Scene.SETTINGS.leastGainPpm())) {
                final var view = new FlowView(flow.id(), best.forward(), best.backward(), flow.limit());
                moves.add(new Moved(flow.id(), best.forward().links(), Placer.rate(before), Placer.rate(after)));
                now = new World(now.fabric(), now.flows().stream().map(other ->
                    other.id() == flow.id() ? view : other).toList(), now.background());
            }
        }
        return moves;
    }

    private static Map<Long, Double> rates(final World world) {
        final var shares = world.shares();
        final var filled = shares.fill();
        final var rates = new HashMap<Long, Double>();
        world.flows().forEach(flow -> rates.put(flow.id(), filled.get(shares.channel(flow)).rate()));
        return rates;
    }

    private static Moved moved(final Move move) {
        return new Moved(move.id(), move.forward().links(), move.before(), move.after());
    }
}
