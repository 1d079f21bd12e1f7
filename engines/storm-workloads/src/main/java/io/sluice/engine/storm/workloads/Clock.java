// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time of day, which machines have in common. */
final class Clock {
    private Clock() {
        // functions
    }

    /** Microseconds since 1970. */
    static long nowUs() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
