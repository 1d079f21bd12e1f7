// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EnforcerBed.moved;
import static io.sluice.bandwidth.engine.EnforcerBed.target;
import static io.sluice.bandwidth.engine.EngineBed.config;
import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.id;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static io.sluice.bandwidth.engine.EngineBed.node;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.testlib.Topologies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What becomes of flows while their switches owe an answer, and when it comes. */
class LateAnswersTest {
    private static final Topologies.Rates RATES = Topologies.Rates.equal(Bandwidth.ofMegabits(10));
    private static final Optional<String> CROWDED = Optional.of("rises when other meters on its links have fallen");

    private final EnforcerBed hand = new EnforcerBed();
    private final ClaimByHand switches = hand.switches;
    private final Enforcer enforcer = hand.enforcer;

    @Test
    void aSwitchThatTakesItsTimeHoldsUpNoneOfTheOthers() {
        final var bed = new EngineBed(Topologies.line(3, 1, 2, RATES));
        bed.configure(limited(flow("a", 1, 2), 2), limited(flow("b", 3, 6), 2), limited(flow("c", 4, 6), 2));
        bed.programmer.silence(node(1));
        bed.engine.configure(config(limited(flow("a", 1, 2), 1), limited(flow("b", 3, 6), 1),
            limited(flow("c", 4, 6), 3)));

        bed.reallocateWithoutAnswer();

        assertEquals(List.of(Optional.of("openflow:1: it has not confirmed this yet"), Optional.empty(),
            Optional.empty()), Stream.of("a", "b", "c").map(flow -> bed.state(flow).pending()).toList());
        assertEquals(List.of(1000L, 1000L, 3000L), List.copyOf(bed.meters().values()));
        bed.reallocate();
        bed.programmer.speak();
        bed.settle();
        assertEquals(Optional.empty(), bed.state("a").pending());
    }

    @Test
    void nothingRisesBesideAMeterOfWhichNoAnswerHasCome() {
        final var bed = new EngineBed(Topologies.line(3, 1, 1, RATES));
        bed.configure(flow("a", 1, 3), limited(flow("b", 2, 3), 2));
        bed.programmer.silence(node(1));
        bed.engine.configure(config(limited(flow("a", 1, 3), 1), flow("b", 2, 3)));

        bed.reallocateWithoutAnswer();

        assertTrue(bed.state("b").pending().orElseThrow().startsWith("rises when"), bed.state("b")::toString);
        bed.programmer.speak();
        bed.settle();
        assertEquals(List.of(1000L, 9000L), List.copyOf(bed.meters().values()));
    }

    @Test
    void nothingRisesBesideAFirstMeterOfWhichNoAnswerHasCome() {
        hand.hold(Map.of(id("a"), target(1, Metering.UNMETERED), id("b"), target(2, 2000)));
        final var both = Map.of(id("a"), target(1, 5000), id("b"), target(2, 5000));

        enforcer.enforce(both);
        assertEquals(List.of("10.0.0.1 5000"), switches.asked());
        hand.runOut();
        assertEquals(CROWDED, hand.pending("b"));

        switches.confirmAll();
        enforcer.enforce(both);
        assertEquals(List.of("10.0.0.2 5000"), switches.asked());
    }

    @Test
    void nothingMoreIsAskedForAFlowBeforeItsSwitchHasAnswered() {
        hand.hold(Map.of(id("a"), target(1, 2000), id("b"), target(2, 2000)));
        enforcer.enforce(Map.of(id("a"), target(1, 3000), id("b"), target(2, 2000)));
        hand.runOut();
        final var next = Map.of(id("a"), target(1, 1000), id("b"), target(2, 4000));

        enforcer.enforce(next);
        assertEquals(List.of("10.0.0.1 3000"), switches.asked());
        assertEquals(Optional.of("openflow:1: it has not confirmed this yet"), hand.pending("a"));
        assertEquals(CROWDED, hand.pending("b"));
        assertEquals(0, hand.late);

        switches.confirmAll();
        assertEquals(1, hand.late);
        enforcer.enforce(next);
        assertEquals(List.of("10.0.0.1 1000"), switches.asked());
        switches.confirmAll();
        assertEquals(List.of("10.0.0.2 4000"), switches.asked());
    }

    @Test
    void aFlowThatWaitsToRiseIsToldThatItsOwnFallIsNotConfirmed() {
        hand.hold(Map.of(id("a"), target(1, 4000)));
        enforcer.enforce(Map.of(id("a"), target(1, 2000)));
        switches.refuseAll();

        enforcer.enforce(Map.of(id("a"), target(1, 5000)));
        assertEquals(List.of("10.0.0.1 2000"), switches.asked());
        hand.runOut();

        assertEquals(Optional.of("openflow:1: it has not confirmed this yet"), hand.pending("a"));
    }

    @Test
    void whoIsWantedAgainBeforeItsSwitchHasLetGoIsPendingAndThenDeclaredAgain() {
        hand.hold(Map.of(id("a"), target(1, 2000)));
        enforcer.enforce(Map.of());
        hand.runOut();
        assertEquals(Set.of(), enforcer.enforce(Map.of()).toCompletableFuture().join());

        enforcer.enforce(Map.of(id("a"), target(1, 9000)));
        assertEquals(List.of("withdraw"), switches.asked());
        assertEquals(Optional.of("openflow:1 has not confirmed yet that it holds nothing of it any more"),
            hand.pending("a"));
        switches.confirmAll();
        assertEquals(1, hand.late);

        enforcer.enforce(Map.of(id("a"), target(1, 9000)));
        assertEquals(List.of("10.0.0.1 9000"), switches.asked());
        switches.confirmAll();
        assertEquals(Optional.empty(), hand.pending("a"));
    }

    @Test
    void whatASwitchOwesToAFlowItOwesToTheOneThatHasItsPackets() {
        final var config = limited(flow("a", 1, 2), 2);
        hand.hold(Map.of(id("a"), target(1, 2000)));
        enforcer.enforce(Map.of());
        hand.runOut();

        assertEquals(Set.of(id("a"), id("b")), enforcer.handOver(Map.of(id("b"), config)));
        enforcer.enforce(Map.of(id("b"), target(1, 2000)));
        assertEquals(List.of("withdraw"), switches.asked());
        assertTrue(hand.pending("b").isPresent());

        switches.confirmAll();
        enforcer.enforce(Map.of(id("b"), target(1, 2000)));
        assertEquals(List.of("10.0.0.1 2000"), switches.asked());
        switches.confirmAll();
        assertEquals(Optional.empty(), hand.pending("b"));
        assertEquals(Optional.empty(), enforcer.declaration(id("a")));
    }

    @Test
    void aNumberIsFreeWhereAFlowWasOnlyWhenThatSwitchHasAnswered() {
        hand.hold(Map.of(id("a"), target(1, 2000)));
        enforcer.enforce(Map.of(id("a"), moved(1, 2000)));
        hand.runOut();
        enforcer.enforce(Map.of(id("a"), moved(1, 2000)));
        assertEquals(List.of("10.0.0.1 2000"), switches.asked());

        hand.hold(Map.of(id("a"), moved(1, 2000), id("b"), target(2, 2000)));
        assertEquals(OptionalInt.of(1), enforcer.declaration(id("b")).orElseThrow().meterNumber());

        hand.hold(Map.of(id("a"), moved(1, 2000), id("b"), target(2, 2000), id("c"), target(3, 2000)));
        assertEquals(OptionalInt.of(0), enforcer.declaration(id("c")).orElseThrow().meterNumber());
    }

    @Test
    void nothingRisesBesideAFlowWhoseNewSwitchHasNotAnswered() {
        hand.hold(Map.of(id("a"), target(1, 2000), id("b"), target(2, 2000)));

        enforcer.enforce(Map.of(id("a"), moved(1, 2000), id("b"), target(2, 5000)));
        hand.runOut();

        assertEquals(List.of("10.0.0.1 2000"), switches.asked());
        assertEquals(Optional.of("openflow:1: it or another one has not confirmed this yet, "
            + "openflow:2: it or another one has not confirmed this yet"), hand.pending("a"));
        assertEquals(CROWDED, hand.pending("b"));
    }

    @Test
    void aMeterThatTheNewSwitchRefusesKeepsNobodyFromRising() {
        hand.hold(Map.of(id("a"), target(1, 8000), id("b"), target(2, 2000)));

        enforcer.enforce(Map.of(id("a"), moved(1, 1000), id("b"), target(2, 5000)));
        switches.refuseAll(node(2));

        assertEquals(List.of("10.0.0.2 5000"), switches.asked());
    }

    @Test
    void whatTheNewSwitchHoldsIsKnownThoughTheOldOneSaysNothing() {
        hand.hold(Map.of(id("a"), target(1, 2000), id("b"), target(2, 2000)));

        enforcer.enforce(Map.of(id("a"), moved(1, 2000), id("b"), target(2, 5000)));
        switches.refuseAll(node(1));

        assertTrue(enforcer.declaration(id("a")).orElseThrow().isMeterKnown());
        assertEquals(Optional.of("openflow:1: no meters"), hand.pending("a"));
        assertEquals(List.of("10.0.0.2 5000"), switches.asked());
    }

    @Test
    void nothingRisesBesideAFlowThatIsWantedAgainAndMayHaveLostItsMeter() {
        hand.hold(Map.of(id("a"), target(1, 2000), id("b"), target(2, 2000)));
        enforcer.enforce(Map.of(id("b"), target(2, 2000)));
        hand.runOut();

        enforcer.enforce(Map.of(id("a"), target(1, 5000), id("b"), target(2, 5000)));

        assertEquals(List.of("withdraw"), switches.asked());
        assertEquals(CROWDED, hand.pending("b"));
    }

    @Test
    void nothingRisesBesideAFlowThatMayStillHaveTheMeterItWasToLose() {
        hand.hold(Map.of(id("a"), target(1, 8000), id("b"), target(2, 2000)));
        enforcer.enforce(Map.of(id("a"), target(1, Metering.UNMETERED), id("b"), target(2, 2000)));
        switches.refuseAll();

        enforcer.enforce(Map.of(id("a"), target(1, 1000), id("b"), target(2, 9000)));
        switches.refuseAll();

        assertEquals(CROWDED, hand.pending("b"));
    }

    @Test
    void whatASwitchRefusesLateIsLeftToTheNextInterval() {
        enforcer.enforce(Map.of(id("a"), target(1, 2000)));
        hand.runOut();

        switches.refuseAll();

        assertEquals(0, hand.late);
        assertEquals(Optional.of("openflow:1: no meters"), hand.pending("a"));
    }

    @Test
    void whoseWithdrawalIsRefusedLateIsDeclaredAgainAtOnce() {
        hand.hold(Map.of(id("a"), target(1, 2000)));
        enforcer.enforce(Map.of());
        hand.runOut();

        switches.refuseAll();

        assertEquals(1, hand.late);
        assertEquals(Optional.empty(), enforcer.declaration(id("a")));
    }

    @Test
    void aFlowThatNeedsAMeterAgainIsToldThatItsSwitchOwesAnAnswer() {
        final var bed = new EngineBed(Topologies.line(2, 1, 2, RATES));
        bed.configure(limited(flow("a", 1, 3), 2));
        bed.programmer.silence(node(1));
        bed.engine.configure(config(flow("a", 1, 3)));
        bed.reallocateWithoutAnswer();

        bed.engine.configure(config(limited(flow("a", 1, 3), 2)));
        bed.reallocateWithoutAnswer();

        assertEquals(Optional.of("openflow:1: it has not confirmed this yet"), bed.state("a").pending());
    }
}
