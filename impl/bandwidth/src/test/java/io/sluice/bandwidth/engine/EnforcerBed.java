// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.id;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.bandwidth.FlowId;
import io.sluice.testlib.Topologies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An enforcer whose switches answer, and whose patience ends, when the test says so. */
final class EnforcerBed {
    private static final Topologies.Rates RATES = Topologies.Rates.equal(Bandwidth.ofMegabits(10));
    /** The link that all flows pass. */
    private static final Set<String> SHARED = Set.of("shared");

    final ClaimByHand switches = new ClaimByHand();
    /** Rounds that late answers have begun. */
    int late;
    private final List<Runnable> overdue = new ArrayList<>();
    final Enforcer enforcer = new Enforcer(EngineBed.OWNER, new Environment.Switches(switches, new FakeQueues()),
        new Patience(overdue::add, Runnable::run), Runnable::run, () -> late++);

    /** Has the switches hold these and nothing else. */
    void hold(final Map<FlowId, Target> targets) {
        enforcer.enforce(targets);
        switches.confirmAll();
    }

    /** The time is over that switches have for what they were asked so far. */
    void runOut() {
        final var all = List.copyOf(overdue);
        overdue.clear();
        all.forEach(Runnable::run);
    }

    Optional<String> pending(final String flow) {
        return enforcer.declaration(id(flow)).orElseThrow().pending();
    }

    /** That of a flow from a host of the first switch, by its number. */
    static Target target(final int host, final long kilobits) {
        return at(Topologies.line(1, 1, 3, RATES).hosts().get(host - 1).attachment(), host, kilobits);
    }

    /** The same, but that the host is at a port of the second switch. */
    static Target moved(final int host, final long kilobits) {
        return at(new PortId(EngineBed.node(2), host), host, kilobits);
    }

    private static Target at(final PortId ingress, final int host, final long kilobits) {
        return new Target(new Metering(ingress, flow("f", host, host % 3 + 1).packets(), kilobits, Optional.empty(),
            Optional.empty()), SHARED);
    }
}
