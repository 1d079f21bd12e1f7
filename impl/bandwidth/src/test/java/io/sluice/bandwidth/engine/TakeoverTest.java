// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Owner;
import io.sluice.api.Pipeline;
import io.sluice.api.PortId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.Topologies;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Three switches with three hosts each, and what becomes of their meters when another controller comes. */
class TakeoverTest {
    private static final FabricSnapshot NETWORK = Topologies.line(3, 1, 3, Topologies.Rates.equal(
        Bandwidth.ofMegabits(10)));

    private final EngineBed bed = new EngineBed(NETWORK);

    @Test
    void flowsKeepTheirNumbersThoughOthersCameAndWentMeanwhile() {
        bed.configure(limited(flow("b", 1, 4), 2), limited(flow("c", 2, 4), 2), limited(flow("d", 4, 7), 2));
        final var before = Map.of("c", number("c"), "d", number("d"));
        bed.start();

        bed.configure(limited(flow("a", 3, 4), 2), limited(flow("c", 2, 4), 2), limited(flow("d", 4, 7), 2));

        assertEquals(before, Map.of("c", number("c"), "d", number("d")));
        assertEquals(3, bed.meters().size());
    }

    @Test
    void whatIsAsItShouldBeIsNotSentAgainNorToldOf() {
        bed.configure(limited(flow("a", 1, 4), 2), flow("b", 2, 5), flow("c", 4, 7));
        final var changes = changes();
        bed.start();
        bed.events.clear();

        bed.configure(limited(flow("a", 1, 4), 2), flow("b", 2, 5), flow("c", 4, 7));

        assertEquals(changes, changes());
        assertEquals(List.of(), bed.events);
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void aNumberOfAFlowThatIsGoneIsGivenWhenNothingIsLeftOfIt() {
        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2));
        final int freed = number("a");
        bed.start();
        bed.configure(limited(flow("b", 2, 4), 2), limited(flow("z", 3, 4), 2), flow("unseen", 1, 77));
        assertNotEquals(freed, number("z"));
        assertEquals(3, bed.meters().size());

        bed.clock.advance(Duration.ofSeconds(60));
        bed.reallocate();
        assertEquals(2, bed.meters().size());
        bed.configure(limited(flow("b", 2, 4), 2), limited(flow("y", 1, 5), 2), limited(flow("z", 3, 4), 2));
        assertEquals(freed, number("y"));
    }

    /** The switches may be read in either order, so that either number may be kept. */
    @Test
    void noNumberIsGivenThatAFlowHasOnAnotherSwitch() {
        final var twice = limited(flow("a", 1, 4), 2);
        final var fresh = limited(flow("b", 2, 4), 2);
        bed.configure(twice);
        final long here = objects(twice).iterator().next();
        final long there = here + 1;
        bed.network.at(node(2)).add(new Entry.Flow(Pipeline.METER, 2000, twice.packets().match(
            new PortId(node(2), 1)), List.of()).goingOnTo(Pipeline.CLASSIFY), EngineBed.OWNER.cookie(there));
        bed.start();

        bed.configure(twice, fresh, flow("unseen", 1, 77));

        assertFalse(objects(twice).isEmpty());
        assertTrue(Set.of(here, there).containsAll(objects(twice)));
        assertEquals(Set.of(there + 1), objects(fresh));
    }

    @Test
    void metersStayWhileTheHostsAreNotSeen() {
        bed.configure(flow("a", 1, 4), flow("b", 2, 5));
        final var before = bed.meters();
        bed.start();
        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), List.of()));
        bed.configure(flow("a", 1, 4), flow("b", 2, 5));
        assertEquals(before, bed.meters());

        bed.show(new FabricSnapshot(3, NETWORK.switches(), NETWORK.ports(), NETWORK.links(), NETWORK.hosts()));

        assertEquals(before, bed.meters());
        assertEquals(2, before.size());
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void aNumberThatWasOnlyTakenOverIsGivenWhenNothingIsLeftOfItsFlow() {
        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2));
        final int freed = number("a");
        bed.start();
        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2), guaranteed(flow("g", 3, 5), 11),
            flow("unseen", 1, 77));
        assertEquals(2, bed.meters().size());

        bed.configure(limited(flow("b", 2, 4), 2), guaranteed(flow("g", 3, 5), 11), flow("unseen", 1, 77));
        bed.configure(limited(flow("b", 2, 4), 2), limited(flow("z", 3, 4), 2), flow("unseen", 1, 77));

        assertEquals(freed, number("z"));
        assertEquals(2, bed.meters().size());
    }

    @Test
    void countsGoOnThoughTheFirstRoundChangesTheMeter() {
        bed.configure(limited(flow("a", 1, 4), 1));
        bed.flood(1, 4, 700);
        bed.start();

        bed.configure(limited(flow("a", 1, 4), 2));
        assertEquals(new Traffic(200, 20_000), bed.state("a").passage().orElseThrow().dropped());
        bed.flood(1, 4, 1100);
        bed.reallocate();
        assertEquals(new Traffic(300, 30_000), bed.state("a").passage().orElseThrow().dropped());
    }

    @Test
    void allStaysUntilThereIsAConfiguration() {
        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2));
        final var before = bed.meters();
        final int kept = number("b");
        bed.start();

        bed.reallocate();

        assertEquals(before, bed.meters());
        bed.configure(limited(flow("b", 2, 4), 2));
        assertEquals(kept, number("b"));
    }

    @Test
    void eachSwitchIsReadOnce() {
        final var asked = new ArrayList<Object>();
        final var claim = (Claim) Proxy.newProxyInstance(Claim.class.getClassLoader(), new Class<?>[] {Claim.class},
            (proxy, method, arguments) -> {
                asked.add(arguments[0]);
                return CompletableFuture.completedStage(Map.of());
            });
        final var patience = new Patience(Runnable::run, Runnable::run);
        final var takeover = new Takeover(claim, new Enforcer(EngineBed.OWNER,
            new Environment.Switches(claim, new FakeQueues()), patience, Runnable::run, () -> { }), patience,
            Runnable::run, () -> { });

        takeover.read(Set.of(node(1)), Map.of());
        takeover.read(Set.of(node(1), node(2)), Map.of());

        assertEquals(List.of(node(1), node(2)), asked);
    }

    @Test
    void aSwitchThatDoesNotAnswerIsAskedAgainInTheNextRound() {
        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2));
        final var before = Map.of("a", number("a"), "b", number("b"));
        bed.start();
        bed.programmer.detach(node(1));
        bed.configure(flow("unseen", 1, 77));
        bed.programmer.attach(node(1));

        bed.configure(limited(flow("b", 2, 4), 2), limited(flow("a2", 1, 5), 2), flow("unseen", 1, 77));

        assertEquals(before.get("b"), number("b"));
        assertFalse(before.containsValue(number("a2")));
    }

    @Test
    void whatASwitchTellsLateCounts() {
        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2));
        final var before = Map.of("a", number("a"), "b", number("b"));
        bed.start();
        bed.programmer.silence(node(1));
        bed.engine.configure(EngineBed.config(limited(flow("b", 2, 4), 2), limited(flow("a", 1, 4), 2)));
        bed.reallocateWithoutAnswer();
        assertEquals(Optional.of("openflow:1 has not told what an earlier controller has left"),
            bed.state("b").pending());

        bed.programmer.speak();
        bed.settle();

        assertEquals(before, Map.of("a", number("a"), "b", number("b")));
    }

    @Test
    void aFlowGetsNoNumberBeforeItsSwitchHasToldWhatItHolds() {
        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2));
        final int before = number("b");
        bed.start();
        bed.programmer.detach(node(1));
        bed.configure(limited(flow("b", 2, 4), 2));
        assertEquals(Optional.of("openflow:1 has not told what an earlier controller has left"),
            bed.state("b").pending());
        bed.programmer.attach(node(1));

        bed.reallocate();

        assertEquals(before, number("b"));
    }

    @Test
    void entriesThatSluiceDidNotMakeAreNotTakenOver() {
        bed.configure(limited(flow("a", 1, 4), 2));
        final var target = bed.network.at(node(1));
        final var plain = flow("a", 2, 4).packets().match();
        target.add(new Entry.Flow(0, 9, plain, List.of()), EngineBed.OWNER.cookie(1L << 30));
        target.add(new Entry.Flow(0, 10, plain, List.of()), EngineBed.OWNER.cookie(7));
        bed.start();

        bed.configure(limited(flow("a", 1, 4), 2), limited(flow("b", 2, 4), 2));

        assertEquals(List.of(0, 1), List.of(number("a"), number("b")));
        assertEquals(2, bed.meters().size());
    }

    @Test
    void numbersAreKeptAndNothingIsLeftWhateverComesAndGoes() {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        for (int restart = 0; restart < 100; restart++) {
            final var before = new HashMap<String, Integer>();
            bed.engine.flows().forEach(state -> state.meter().ifPresent(meter ->
                before.put(state.id().flow(), meter.meter().orElseThrow())));
            bed.start();
            bed.configure(IntStream.range(0, 12).filter(number -> random.nextInt(3) > 0)
                .mapToObj(number -> steady(number, 1 + random.nextInt(3))).toArray(FlowConfig[]::new));
            bed.engine.flows().forEach(state -> {
                final var kept = before.get(state.id().flow());
                assertEquals(kept == null ? number(state.id().flow()) : kept, number(state.id().flow()),
                    () -> "seed " + seed);
            });
            assertEquals(bed.engine.flows().size(), bed.meters().size(), () -> "seed " + seed);
        }
    }

    /** Always the same of a number, but for its limit. */
    private static FlowConfig steady(final int number, final long limit) {
        final int from = 1 + number % 9;
        return limited(new FlowConfig("f" + number, new Packets(Addresses.ip("10.0.0." + from),
            Addresses.ip("10.0.0." + (1 + (from + number / 9) % 9)), OptionalInt.of(FlowMatch.PROTOCOL_UDP),
            OptionalInt.empty(), OptionalInt.of(1 + number)), 0, 1, Bandwidth.ZERO, Optional.empty()), limit);
    }

    private int number(final String flow) {
        return bed.state(flow).meter().orElseThrow().meter().orElseThrow();
    }

    /** The objects to which entries of a flow belong. */
    private Set<Long> objects(final FlowConfig flow) {
        return bed.network.switches().stream().flatMap(node -> node.entries().stream())
            .filter(installed -> installed.entry() instanceof Entry.Flow entry
                && entry.match().atAnyPort().equals(flow.packets().match()))
            .map(installed -> Owner.objectOfCookie(installed.cookie())).collect(Collectors.toSet());
    }

    private List<Long> changes() {
        return bed.network.switches().stream().map(FakeSwitch::changes).toList();
    }
}
