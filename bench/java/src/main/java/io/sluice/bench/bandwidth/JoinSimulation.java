// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bandwidth;

import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.Application;
import io.sluice.bandwidth.Flow;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.Policy;
import io.sluice.bandwidth.Round;
import io.sluice.bandwidth.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A fluid model of applications under a policy that sees only what their ends report. A source emits its volume, on all
 * flows alike, until a queue at a sender holds two intervals of it; a flow carries what its rate allows; a join
 * consumes as much of every flow as the slowest has brought. Throughput is what joins consume, as part of what sources
 * would emit.
 */
final class JoinSimulation {
    private static final int STEPS = 50;
    private static final int QUEUE_INTERVALS = 2;

    private final Round initial;
    private final Policy policy;
    private final double intervalS;
    private final List<double[]> volumes = new ArrayList<>();
    private final List<double[]> sending = new ArrayList<>();
    private final List<double[]> received = new ArrayList<>();

    JoinSimulation(final Round initial, final Policy policy) {
        this.initial = initial;
        this.policy = policy;
        intervalS = initial.intervalUs() / 1e6;
        for (final var application : applications()) {
            volumes.add(application.flows().stream()
                .mapToDouble(flow -> flow.report().orElseThrow().transferred()).toArray());
            sending.add(new double[application.flows().size()]);
            received.add(new double[application.flows().size()]);
        }
    }

    /** Throughput of each application over the second half of {@code rounds}. */
    double[] run(final int rounds) {
        final var throughput = new double[volumes.size()];
        var round = initial;
        for (int i = 0; i < rounds; i++) {
            final var rates = ((Allocated) policy.allocate(round)).flows().iterator();
            final var reported = new ArrayList<Application>();
            for (int application = 0; application < throughput.length; application++) {
                final double[] bytesPerS = applications().get(application).flows().stream()
                    .mapToDouble(flow -> rates.next().rate().bitsPerSecond() / 8.0).toArray();
                final double[] before = sending.get(application).clone();
                final double[] receivedBefore = received.get(application).clone();
                final double[] carried = new double[before.length];
                double consumed = 0;
                for (int step = 0; step < STEPS; step++) {
                    consumed += step(application, bytesPerS, carried);
                }
                throughput[application] += i >= rounds / 2 ? consumed / (rounds - rounds / 2) : 0;
                reported.add(report(application, carried, before, receivedBefore));
            }
            round = new Round(initial.links(), List.of(new Tenant("t", 1, reported)), initial.intervalUs());
        }
        return throughput;
    }

    private double step(final int application, final double[] bytesPerS, final double[] carried) {
        final double[] volume = volumes.get(application);
        final double[] queue = sending.get(application);
        final double[] arrived = received.get(application);
        double emitted = 1.0 / STEPS;
        for (int flow = 0; flow < volume.length; flow++) {
            emitted = Math.min(emitted, QUEUE_INTERVALS - queue[flow] / volume[flow]);
        }
        double joined = Double.POSITIVE_INFINITY;
        for (int flow = 0; flow < volume.length; flow++) {
            queue[flow] += Math.max(0, emitted) * volume[flow];
            final double sent = Math.min(queue[flow], bytesPerS[flow] * intervalS / STEPS);
            queue[flow] -= sent;
            arrived[flow] += sent;
            carried[flow] += sent;
            joined = Math.min(joined, arrived[flow] / volume[flow]);
        }
        for (int flow = 0; flow < volume.length; flow++) {
            arrived[flow] -= joined * volume[flow];
        }
        return joined;
    }

    private Application report(final int application, final double[] carried, final double[] before,
            final double[] receivedBefore) {
        final var model = applications().get(application);
        final var flows = new ArrayList<Flow>();
        for (int flow = 0; flow < carried.length; flow++) {
            final var old = model.flows().get(flow);
            flows.add(new Flow(old.name(), old.paths(), old.stage(), old.weight(), old.guarantee(), old.limit(),
                Optional.of(new FlowReport(Math.round(carried[flow]), Math.round(before[flow]),
                    Math.round(sending.get(application)[flow]), Math.round(receivedBefore[flow]),
                    Math.max(0, Math.round(received.get(application)[flow]))))));
        }
        return new Application(model.name(), model.weight(), flows);
    }

    private List<Application> applications() {
        return initial.tenants().getFirst().applications();
    }
}
