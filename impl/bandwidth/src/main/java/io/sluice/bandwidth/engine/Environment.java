// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Claim;
import io.sluice.api.Fabric;
import io.sluice.api.PortQueues;
import io.sluice.api.Routes;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What the engine works with.
 *
 * @param time its own, by which it waits for switches
 */
public record Environment(Fabric fabric, Switches switches, Routes routes, BandwidthEvents events, Time time) {
    /** What the engine changes on switches: entries with their meters, and queues. */
    public record Switches(Claim claim, PortQueues queues) { }

    /**
     * When things happen.
     *
     * @param loop runs one task at a time, in order
     * @param later runs a task on the loop when the time is over that a switch has to answer
     * @param nowNs monotonic clock
     */
    public record Time(Executor loop, Executor later, LongSupplier nowNs) { }

    Executor loop() {
        return time.loop();
    }

    LongSupplier nowNs() {
        return time.nowNs();
    }

    /** One that knows no slow switch yet. */
    Patience newPatience() {
        return new Patience(time.later(), time.loop());
    }
}
