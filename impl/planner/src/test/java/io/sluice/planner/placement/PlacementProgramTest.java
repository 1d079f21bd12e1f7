// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.core.Instance;
import io.sluice.planner.format.TopologyFile;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.placement.PlacementAnswer.Placed;
import io.sluice.planner.plan.Change;
import io.sluice.planner.workload.BackboneModel;
import io.sluice.planner.workload.PaperWorkload;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A program that takes a second or so: many times longer than it takes to notice that it should stop. */
class PlacementProgramTest {
    private static final double GAP = 1e-9;
    private static final double TOLERANCE = 1e-6;
    private static final long TRAFFIC_PPM = 20_000;

    private PlacementTask task;
    private Placed best;

    @BeforeEach
    void solve() throws Exception {
        final var topology = TopologyFile.read(Path.of("..", "..", "bench", "data", "topohub", "AttMpls.json"));
        final var problem = new PaperWorkload(12, 8, 4, 25, PaperWorkload.REFERENCE_CYCLES_PER_KB, 300, 1)
            .on(topology, BackboneModel.standard());
        task = PlacementTask.forAll(new Change.Traffic(TRAFFIC_PPM).applyTo(problem), 1, Long.MAX_VALUE);
        best = assertInstanceOf(Placed.class, VnfPlacement.solve(task, new Limits(GAP, 2, () -> false)));
        assertTrue(best.gap() <= GAP);
    }

    @Test
    @Tag("slow")
    void itEndsWithItsBestChoiceAndABoundThatHoldsWheneverItIsStopped() {
        final var candidates = new Candidates(task, Instance.of(task.with(task.everywhere())));
        final var looks = new AtomicInteger();
        for (int most = 0;; most = 4 * most + 1) {
            final int last = most;
            looks.set(0);
            final var solution = PlacementProgram.solve(candidates, best.value(),
                new Limits(GAP, 1, () -> looks.getAndIncrement() >= last));
            solution.ifPresent(found -> {
                assertTrue(found.bound() <= best.value() * (1 + TOLERANCE), "stopped at look " + last);
                VnfPlacement.route(task, candidates.chosen(found.isOpen()), Limits.standard()).ifPresent(routed ->
                    assertTrue(routed.value() >= found.bound() * (1 - TOLERANCE), "stopped at look " + last));
            });
            if (looks.get() <= last) {
                assertEquals(best.value(), solution.orElseThrow().bound(), best.value() * TOLERANCE);
                assertTrue(last > 0, "nobody looked");
                return;
            }
            assertTrue(last > 0 || solution.stream().allMatch(found -> found.bound() < best.value() * (1 - TOLERANCE)),
                "it went on to the end");
        }
    }

    /** Only the lookout of the program, which has a thread of its own, says that it should stop. */
    @Test
    @Tag("slow")
    void aRunThatIsStoppedInTheProgramHasSitesAndAGap() {
        final var thread = Thread.currentThread();
        final BooleanSupplier isElsewhere = () -> Thread.currentThread() != thread;
        final var placed = assertInstanceOf(Placed.class,
            VnfPlacement.solve(task, new Limits(GAP, 2, isElsewhere)));
        assertTrue(placed.gap() > GAP, "it went on to the end");
        assertTrue(placed.bound() <= best.value() * (1 + TOLERANCE));
        assertTrue(placed.value() >= best.value() * (1 - TOLERANCE));
        assertTrue(!placed.hints().isEmpty());
    }
}
