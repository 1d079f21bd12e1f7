// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

/** Runs tasks later, on the loop of whoever plans them. */
@FunctionalInterface
public interface Timer {
    /** Runs {@code task} once, after {@code delayNs} nanoseconds, 0 or more. */
    void after(long delayNs, Runnable task);
}
