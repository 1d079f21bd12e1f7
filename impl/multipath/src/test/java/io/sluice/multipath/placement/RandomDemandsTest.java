// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.SwitchId;
import io.sluice.testlib.Topologies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Demands on random, partly broken fabrics: what holds for each strategy. */
class RandomDemandsTest {
    private static final int CASES = 400;

    @ParameterizedTest
    @EnumSource(Strategy.class)
    void demandIsPlacedSoundlyIfThatCanBe(final Strategy strategy) {
        int refusals = 0;
        for (int seed = 0; seed < CASES; seed++) {
            final var random = new Random(seed);
            final var whole = Scene.random(random, 8);
            final var cables = new ArrayList<>(Topologies.cables(whole.fabric));
            Collections.shuffle(cables, random);
            final var scene = new Scene(Topologies.without(whole.fabric, cables.subList(0, random.nextInt(3))),
                whole.background);
            final var demand = demand(scene, strategy, random);
            final var decision = scene.placer.place(scene.world(), demand);

            assertEquals(decision, new Placer(Scene.SETTINGS).place(scene.world(), demand), "seed " + seed);
            final boolean possible = possible(scene, demand, 0, new HashMap<>());
            if (decision instanceof Decision.Refused refused) {
                refusals++;
                assertTrue(!possible && refused.reason().matches("(.* )?piece [123]\\b.*"),
                    "seed " + seed + ": " + refused.reason());
            } else {
                assertTrue(possible, "seed " + seed);
                assertSound(demand, assertInstanceOf(Decision.Placed.class, decision), "seed " + seed);
            }
        }
        assertTrue(refusals > CASES / 20 && refusals < CASES / 2, refusals + " refusals");
    }

    private static Demand demand(final Scene scene, final Strategy strategy, final Random random) {
        final int hosts = scene.fabric.hosts().size();
        final var servers = new ArrayList<Candidate>();
        for (int host = 1; host <= hosts; host++) {
            servers.add(scene.server(host, random.nextDouble(), random.nextInt(3)));
        }
        final var pieces = new ArrayList<Piece>();
        for (int number = 1; number <= 1 + random.nextInt(3); number++) {
            Collections.shuffle(servers, random);
            pieces.add(new Piece(number, servers.subList(0, 1 + random.nextInt(Math.min(3, hosts)))));
        }
        return scene.demand(strategy, 1 + random.nextInt(hosts), pieces, random.nextLong());
    }

    private static void assertSound(final Demand demand, final Decision.Placed placed, final String seed) {
        assertEquals(demand.pieces().stream().map(Piece::number).toList(),
            placed.assignments().stream().map(Assignment::piece).toList(), seed);
        final var used = new HashMap<Candidate, Integer>();
        for (int i = 0; i < demand.pieces().size(); i++) {
            final var assignment = placed.assignments().get(i);
            Scene.assertSound(demand, assignment, seed);
            assertTrue(demand.pieces().get(i).candidates().contains(assignment.candidate()), seed);
            assertTrue(used.merge(assignment.candidate(), 1, Integer::sum) <= assignment.candidate().room(), seed);
        }
    }

    /** Tries every server for every piece. */
    private static boolean possible(final Scene scene, final Demand demand, final int piece,
            final Map<Candidate, Integer> used) {
        if (piece == demand.pieces().size()) {
            return true;
        }
        for (var candidate : demand.pieces().get(piece).candidates()) {
            if (used.getOrDefault(candidate, 0) < candidate.room()
                    && reached(scene, demand.clientEdge()).contains(candidate.edge())) {
                used.merge(candidate, 1, Integer::sum);
                final boolean rest = possible(scene, demand, piece + 1, used);
                used.merge(candidate, -1, Integer::sum);
                if (rest) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<SwitchId> reached(final Scene scene, final SwitchId from) {
        final var reached = new ArrayList<>(List.of(from));
        for (int at = 0; at < reached.size(); at++) {
            for (var link : scene.fabric.links()) {
                if (link.source().switchId().equals(reached.get(at))
                        && !reached.contains(link.destination().switchId())) {
                    reached.add(link.destination().switchId());
                }
            }
        }
        return reached;
    }
}
