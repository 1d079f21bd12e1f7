// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.engine.BandwidthEngine.Environment;
import java.util.Optional;

/** Reads what the entries of flows have counted, where flows enter the network. */
final class FlowCounters {
    private final Environment environment;
    private final Enforcer enforcer;
    private final PassedBytes passed;

    FlowCounters(final Environment environment, final Enforcer enforcer, final PassedBytes passed) {
        this.environment = environment;
        this.enforcer = enforcer;
        this.passed = passed;
    }

    /** Asks all switches, and does not wait for them: one that does not answer leaves what was known of its flows. */
    void read() {
        enforcer.ingresses().forEach(this::read);
    }

    private void read(final SwitchId switchId) {
        final var flows = enforcer.on(switchId);
        environment.claim().traffic(switchId, Pipeline.METER).thenAcceptAsync(counted -> {
            final long nowNs = environment.nowNs().getAsLong();
            counted.forEach((number, traffic) -> Optional.ofNullable(flows.get(number)).ifPresent(flow ->
                enforcer.meter(flow).ifPresent(meter ->
                    passed.take(flow, traffic.bytes(), meter.metering().kilobits(), nowNs))));
        }, environment.loop());
    }
}
