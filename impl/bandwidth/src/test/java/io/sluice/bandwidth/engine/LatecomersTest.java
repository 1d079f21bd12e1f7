// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.INTERVAL_US;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.testlib.Topologies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Two switches with two hosts each and two cables between them, whose room is less than what guarantees ask for. */
class LatecomersTest {
    private static final FabricSnapshot NETWORK = network(10);
    private static final List<Link> CABLES = cables(NETWORK);
    private static final String WAITS =
        "its guarantee waits until all flows are seen that an earlier controller may have run";
    private static final FlowConfig[] FLOWS = {guaranteed(flow("a", 1, 3), 7), guaranteed(flow("b", 2, 4), 7)};

    private final EngineBed bed = new EngineBed(NETWORK);

    @Test
    void whoIsSeenLateHasARateWithoutItsGuaranteeUntilThereIsRoom() {
        placeOn(0);
        showHosts(0, 3);
        bed.configure(FLOWS);

        bed.show(seen(3, NETWORK));

        assertHeld(7, 3, "b");
        bed.reallocate();
        assertHeld(7, 3, "b");
        bed.configure(guaranteed(flow("a", 1, 3), 3), FLOWS[1]);
        assertEquals(List.of(3L, 7L), List.of(bed.megabits("a"), bed.megabits("b")));
        assertEquals(Optional.empty(), bed.state("b").pending());
    }

    @Test
    void whoIsLateAndIdleIsNobodyToYieldTo() {
        placeOn(0);
        showHosts(0, 3);
        bed.configure(FLOWS);
        bed.engine.report(id("b"), new FlowReport(0, 0, 0, 0, 0), INTERVAL_US);

        bed.show(seen(3, NETWORK));

        assertEquals(10, bed.megabits("a"));
        assertEquals(Optional.empty(), bed.state("a").meter());
    }

    @Test
    void aPathThatComesToAFullLinkBringsNoMeterBesideThoseThere() {
        bed.routes = match -> on(match.equals(FLOWS[0].packets().match()) ? 0 : 1);
        bed.configure(FLOWS);
        assertEquals(Map.of(), bed.meters());

        placeOn(1);
        bed.show(seen(2, NETWORK));

        assertHeld(3, 7, "a");
    }

    @Test
    void aLinkThatBecomesSmallerRefusesNobodysRound() {
        placeOn(0);
        bed.configure(FLOWS[0], guaranteed(flow("b", 2, 4), 3));

        bed.show(seen(2, network(8)));

        assertHeld(7, 1, "b");
        bed.show(seen(3, NETWORK));
        assertEquals(List.of(7L, 3L), List.of(bed.megabits("a"), bed.megabits("b")));
        assertEquals(Optional.empty(), bed.state("b").pending());
    }

    @Test
    void theNextControllerRunsOnWhatTheLastOneRan() {
        placeOn(0);
        bed.configure(FLOWS[0], limited(guaranteed(flow("b", 2, 4), 3), 5));
        bed.show(seen(2, network(8)));
        bed.start();

        bed.configure(FLOWS[0], limited(guaranteed(flow("b", 2, 4), 3), 5));

        assertHeld(7, 1, "b");
        bed.reallocate();
        assertHeld(7, 1, "b");
    }

    @Test
    void whatAnOperatorHasAddedTakesNobodysPlaceWithTheNextController() {
        placeOn(0);
        bed.configure(FLOWS[0]);
        bed.configure(FLOWS);
        assertTrue(bed.engine.refusal().isPresent());
        bed.start();

        bed.configure(FLOWS);

        assertTrue(bed.engine.refusal().isPresent());
        assertTrue(bed.state("b").rate().isEmpty());
    }

    @Test
    void whatWasRefusedTakesNobodysPlaceThoughTheNextControllerSeesAllAtOnce() {
        restartAfterARefusal();

        bed.show(seen(3, NETWORK));

        assertHeld(3, 7, "a");
        bed.reallocate();
        assertHeld(3, 7, "a");
    }

    @Test
    void whatWasRefusedWaitsForThoseThatTheNextControllerSeesLater() {
        restartAfterARefusal();

        showHostsOfTheRefused();
        assertEquals(Optional.of(WAITS), bed.state("a").pending());
        bed.reallocate();
        assertEquals(Optional.of(WAITS), bed.state("a").pending());
        bed.show(seen(4, NETWORK));

        assertHeld(3, 7, "a");
    }

    @Test
    void whatWasRefusedIsLetInWhenTheOthersAreNotSeenForAMinute() {
        restartAfterARefusal();
        showHostsOfTheRefused();

        bed.clock.advance(Duration.ofSeconds(60));
        bed.reallocate();
        bed.reallocate();

        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    /** Of two flows that have no room beside each other the first by name was added later, and refused. */
    private void restartAfterARefusal() {
        placeOn(0);
        bed.configure(FLOWS[1]);
        bed.configure(FLOWS);
        assertTrue(bed.engine.refusal().isPresent());
        bed.start();
        bed.show(new FabricSnapshot(2, Set.of(), Map.of(), List.of(), List.of()));
        bed.configure(FLOWS);
    }

    private void showHostsOfTheRefused() {
        final var hosts = NETWORK.hosts();
        bed.show(new FabricSnapshot(3, NETWORK.switches(), NETWORK.ports(), NETWORK.links(),
            List.of(hosts.get(0), hosts.get(2))));
    }

    @Test
    void whoFitsBesideTheOthersIsLetInThoughAnEarlierOneIsNot() {
        placeOn(0);
        showHosts(1, 4);
        bed.configure(guaranteed(flow("a", 1, 3), 6), guaranteed(flow("b", 1, 4), 5), guaranteed(flow("c", 2, 4), 5));

        bed.show(seen(3, NETWORK));

        assertEquals(List.of(0L, 5L, 5L), List.of(bed.megabits("a"), bed.megabits("b"), bed.megabits("c")));
        assertEquals(Optional.empty(), bed.state("b").pending());
    }

    @Test
    void whoHasWaitedWaitsOn() {
        placeOn(0);
        showHosts(1, 4);
        bed.configure(FLOWS);
        bed.show(seen(3, NETWORK));
        assertHeld(3, 7, "a");

        bed.show(seen(4, network(9)));

        assertHeld(2, 7, "a");
    }

    @Test
    void whoWaitsMayRegisterAgain() {
        placeOn(0);
        bed.configure(FLOWS[0], guaranteed(flow("b", 2, 4), 3));
        bed.show(seen(2, network(8)));

        assertEquals(new Admission.Admitted(), bed.engine.admit("t",
            new ApplicationConfig("b", 1, List.of(guaranteed(flow("b", 2, 4), 2)))));
        assertInstanceOf(Admission.Overfull.class, bed.engine.admit("t",
            new ApplicationConfig("a", 1, List.of(guaranteed(flow("a", 1, 3), 9)))));
    }

    @Test
    void whatAnOperatorAsksForTooMuchIsRefused() {
        placeOn(0);
        bed.configure(FLOWS);

        assertTrue(bed.engine.refusal().isPresent());
    }

    private void assertHeld(final long first, final long second, final String late) {
        assertEquals(Optional.empty(), bed.engine.refusal());
        assertEquals(List.of(first, second), List.of(bed.megabits("a"), bed.megabits("b")));
        assertEquals(List.of(first * 1000, second * 1000), List.copyOf(bed.meters().values()));
        assertEquals(List.of(late), bed.engine.flows().stream().filter(flow -> flow.pending().isPresent())
            .map(flow -> flow.id().flow()).toList());
        assertTrue(bed.state(late).pending().orElseThrow().contains("; lower one of them"));
    }

    /** Shows those from one up to before another. */
    private void showHosts(final int first, final int end) {
        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(),
            NETWORK.hosts().subList(first, end)));
    }

    private void placeOn(final int cable) {
        bed.routes = match -> on(cable);
    }

    private static List<Path> on(final int cable) {
        return List.of(new Path(node(1), node(2), List.of(CABLES.get(cable))));
    }

    private static FabricSnapshot network(final long megabits) {
        return Topologies.line(2, 2, 2, new Topologies.Rates(Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(megabits),
            Bandwidth.ofMegabits(megabits)));
    }

    private static FabricSnapshot seen(final long version, final FabricSnapshot network) {
        return new FabricSnapshot(version, network.switches(), network.ports(), network.links(), network.hosts());
    }

    private static List<Link> cables(final FabricSnapshot network) {
        return network.links().stream().filter(link -> link.source().switchId().equals(node(1))).toList();
    }
}
