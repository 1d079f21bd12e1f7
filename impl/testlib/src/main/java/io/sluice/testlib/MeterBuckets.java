// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Entry.Meter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What meters have passed of their bursts; time passes for them only when it is said. Not thread-safe. */
final class MeterBuckets {
    /** What has passed is counted in such parts of a packet or kilobit, so that sums are exact. */
    private static final int PARTS = 1000;

    private final Map<Meter, Double> passed = new HashMap<>();

    /** Whether a packet passes the meter; then it is counted. */
    boolean pass(final Meter meter, final long lengthBytes) {
        final double taken = passed.getOrDefault(meter, 0.0) + switch (meter.unit()) {
            case PACKETS -> PARTS;
            case KILOBITS -> lengthBytes * Byte.SIZE;
        };
        if (taken > meter.burst() * PARTS) {
            return false;
        }
        passed.put(meter, taken);
        return true;
    }

    /** Lets some time pass. */
    void elapse(final Duration time) {
        final double seconds = time.toNanos() / 1e9;
        passed.replaceAll((meter, taken) -> Math.max(0, taken - meter.rate() * PARTS * seconds));
    }

    /** Lets so much time pass that all may pass their burst again. */
    void refill() {
        passed.clear();
    }

    /** A meter is changed or removed; one of its number begins anew. */
    void forget(final int number) {
        passed.keySet().removeIf(meter -> meter.number() == number);
    }
}
