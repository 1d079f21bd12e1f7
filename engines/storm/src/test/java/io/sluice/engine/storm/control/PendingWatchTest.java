// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.engine.storm.TaskPair;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Seconds are passed by hand; the patience is ten of them. */
class PendingWatchTest {
    private static final TaskPair FIRST = new TaskPair(1, 2);
    private static final TaskPair SECOND = new TaskPair(3, 2);
    private static final TaskPair HELD = new TaskPair(4, 2);
    private static final String UNSEEN = "no host with address 10.0.0.1 is seen";
    private static final String OVERFULL = "guarantees overfill a link";
    private static final String HELD_AGAIN = "all flows of t are held to their rates again";

    private final List<String> warnings = new ArrayList<>();
    private final List<String> news = new ArrayList<>();
    private final PendingWatch watch = new PendingWatch("t", TimeUnit.SECONDS.toNanos(10), warnings::add, news::add);
    private long nowNs = 1_000_000_000_000L;

    private static Map<TaskPair, Allocation> pending(final Map<TaskPair, String> reasons) {
        final var allocations = new HashMap<TaskPair, Allocation>();
        allocations.put(HELD, new Allocation(OptionalLong.of(1000), Optional.empty()));
        reasons.forEach((flow, reason) -> allocations.put(flow,
            new Allocation(OptionalLong.empty(), Optional.of(reason))));
        return allocations;
    }

    /** So many seconds, in each of which these flows are pending. */
    private void pass(final int seconds, final Map<TaskPair, String> reasons) {
        for (int second = 0; second < seconds; second++) {
            nowNs += TimeUnit.SECONDS.toNanos(1);
            watch.look(pending(reasons), nowNs);
        }
    }

    private static String warning(final int flows, final int of, final String reason) {
        return flows + " of " + of + " flows of t are not held to their rates, tuples go on: " + reason;
    }

    @Test
    void whatIsPendingForMomentsIsNotTold() {
        for (int turn = 0; turn < 5; turn++) {
            pass(10, Map.of(FIRST, UNSEEN));
            pass(1, Map.of());
        }
        assertEquals(List.of(), warnings);
        assertEquals(List.of(), news);
    }

    @Test
    void whatLastsIsToldOnceAndWhenItIsOver() {
        pass(10, Map.of(FIRST, UNSEEN));
        assertEquals(List.of(), warnings);
        pass(100, Map.of(FIRST, UNSEEN));
        assertEquals(List.of(warning(1, 2, UNSEEN)), warnings);
        assertEquals(List.of(), news);
        pass(100, Map.of());
        assertEquals(List.of(HELD_AGAIN), news);
        pass(11, Map.of(FIRST, UNSEEN));
        assertEquals(2, warnings.size());
    }

    @Test
    void otherReasonsAreToldAndNotEachAtOnce() {
        pass(11, Map.of(FIRST, UNSEEN));
        pass(11, Map.of(FIRST, UNSEEN, SECOND, OVERFULL));
        assertEquals(List.of(warning(1, 2, UNSEEN), warning(2, 3, OVERFULL + " (1 of 2 reasons; GET /flows has all)")),
            warnings);
        for (int second = 0; second < 100; second++) {
            pass(1, Map.of(FIRST, UNSEEN, SECOND, OVERFULL + " by " + second));
        }
        assertEquals(12, warnings.size());
        assertEquals(List.of(), news);
    }

    @Test
    void aReasonThatGoesLeavesTheOther() {
        pass(11, Map.of(FIRST, UNSEEN, SECOND, OVERFULL));
        pass(10, Map.of(FIRST, UNSEEN));
        assertEquals(List.of(warning(2, 3, OVERFULL + " (1 of 2 reasons; GET /flows has all)"), warning(1, 2, UNSEEN)),
            warnings);
        assertEquals(List.of(), news);
    }

    @Test
    void aFlowThatBecomesPendingWhenAnotherIsHeldAgainIsNoEnd() {
        pass(11, Map.of(FIRST, UNSEEN));
        pass(5, Map.of(SECOND, UNSEEN));
        assertEquals(List.of(), news);
        pass(1, Map.of());
        assertEquals(List.of(HELD_AGAIN), news);
    }

    @Test
    void whatIsNotSeenForLongBeginsAnewAndNoAnswerSaysNothing() {
        pass(6, Map.of(FIRST, UNSEEN));
        nowNs += TimeUnit.SECONDS.toNanos(60);
        pass(10, Map.of(FIRST, UNSEEN));
        assertEquals(List.of(), warnings);
        pass(1, Map.of(FIRST, UNSEEN));
        assertEquals(1, warnings.size());
        watch.look(Map.of(), nowNs);
        assertEquals(List.of(), news);
    }
}
