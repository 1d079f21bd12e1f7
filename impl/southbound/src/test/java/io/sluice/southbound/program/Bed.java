// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Action;
import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Flow;
import io.sluice.api.Entry.Meter;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.api.FlowMatch;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.Installed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** Two switches, a programmer and the executors that the test runs by hand. */
final class Bed {
    static final Owner OWNER = new Owner("multipath", 2);
    static final Owner OTHER = new Owner("bandwidth", 3);
    static final SwitchId ONE = new SwitchId("openflow:1");
    static final SwitchId TWO = new SwitchId("openflow:2");

    final Pump loop = new Pump();
    final Pump answers = new Pump();
    final Map<SwitchId, FakeSwitch> switches = Map.of(ONE, new FakeSwitch(ONE, Set.of(1L, 2L), 8),
        TWO, new FakeSwitch(TWO, Set.of(1L, 2L), 8));
    final Map<SwitchId, FakeSession> sessions = new HashMap<>();
    /** All changes sent to any switch, in order. */
    final List<Change> log = new ArrayList<>();
    Programmer programmer = new Programmer(loop);
    Claim claim = programmer.claim(OWNER);

    /** Starts the controller anew; the switches go on as they are. */
    void restart() {
        run();
        log.clear();
        programmer = new Programmer(loop);
        claim = programmer.claim(OWNER);
    }

    CompletionStage<Comparison> attach(final SwitchId id) {
        final var session = new FakeSession(switches.get(id), answers, log);
        sessions.put(id, session);
        return programmer.attached(id, session);
    }

    /** Ends the connection for good and tells the programmer. */
    void detach(final SwitchId id) {
        Optional.ofNullable(sessions.remove(id)).ifPresent(session -> session.dieAfter(0));
        programmer.detached(id);
    }

    void attachBoth() {
        await(attach(ONE));
        await(attach(TWO));
    }

    /** Runs everything there is to run. */
    void run() {
        while (loop.step() || answers.step()) {
            Thread.onSpinWait();
        }
    }

    <T> T await(final CompletionStage<T> stage) {
        run();
        if (!stage.toCompletableFuture().isDone()) {
            throw new AssertionError("nothing left to run, but the stage has not completed");
        }
        return stage.toCompletableFuture().join();
    }

    Comparison validate(final SwitchId id) {
        return compared(await(programmer.validate(Optional.of(id))).get(id));
    }

    Comparison sync(final SwitchId id) {
        return compared(await(programmer.sync(Optional.of(id))).get(id));
    }

    Set<Installed> held(final SwitchId id) {
        return new HashSet<>(switches.get(id).entries());
    }

    Set<Installed> foreign(final SwitchId id) {
        return held(id).stream().filter(held -> !FakeSession.isOwned(held)).collect(Collectors.toSet());
    }

    long changes() {
        return switches.values().stream().mapToLong(FakeSwitch::changes).sum();
    }

    static Installed mine(final Entry entry, final long object) {
        return new Installed(entry, entry instanceof Flow ? OWNER.cookie(object) : 0);
    }

    static Flow flow(final int priority, final Action... actions) {
        return new Flow(0, priority, FlowMatch.ANY, List.of(actions));
    }

    static FailoverGroup group(final int number, final long port) {
        return new FailoverGroup(OWNER.groupId(number),
            List.of(new Bucket(port, List.of(new Action.Output(port)))));
    }

    static Meter meter(final int number, final long rate) {
        return new Meter(OWNER.meterNumber(number), MeterUnit.KILOBITS, rate, 100);
    }

    private static Comparison compared(final Programmer.Outcome outcome) {
        return switch (outcome) {
            case Programmer.Outcome.Compared compared -> compared.comparison();
            case Programmer.Outcome.Failed failed -> throw new AssertionError(failed.reason());
            case Programmer.Outcome.Connecting connecting -> throw new AssertionError("it is connecting");
        };
    }
}
