// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.Unit;
import java.util.Optional;

/**
 * How a number of the models becomes one in a base unit of Prometheus.
 *
 * @param unit the base unit, which ends the metric's name; empty for a count of things, which the name says
 * @param divisor how many of the model's units make one of the base unit
 */
record Scale(Optional<Unit> unit, double divisor) {
    static final Scale NONE = new Scale(Optional.empty(), 1);

    /** The scale for a {@code units} statement of YANG. */
    static Scale of(final String units) {
        return switch (units) {
            case "bits-per-second" -> new Scale(Optional.of(new Unit("bits_per_second")), 1);
            case "bytes" -> new Scale(Optional.of(Unit.BYTES), 1);
            case "ppm" -> new Scale(Optional.of(Unit.RATIO), 1e6);
            case "seconds" -> new Scale(Optional.of(Unit.SECONDS), 1);
            case "milliseconds" -> new Scale(Optional.of(Unit.SECONDS), 1e3);
            case "microseconds" -> new Scale(Optional.of(Unit.SECONDS), 1e6);
            case "nanoseconds" -> new Scale(Optional.of(Unit.SECONDS), 1e9);
            default -> NONE;
        };
    }

    /**
     * A value of the model in the base unit; a boolean is 0 or 1.
     *
     * @throws IllegalArgumentException if it is neither a number nor a boolean
     */
    double number(final Object value) {
        return switch (value) {
            case Boolean truth -> truth ? 1 : 0;
            case Number number -> number.doubleValue() / divisor;
            default -> throw new IllegalArgumentException(value + " is not a number");
        };
    }
}
