// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.AppAware;
import io.sluice.bandwidth.AppFair;
import io.sluice.bandwidth.AppMaxMin;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.MaxMinRates;
import io.sluice.bandwidth.Policy;
import io.sluice.bandwidth.Throughput;
import java.util.Map;

/** A policy, by the name that {@code sluice-bandwidth} gives it. */
public enum PolicyName {
    APP_MAX_MIN,
    APP_AWARE,
    MAX_MIN,
    /** Enforced by queues; meters enforce the others. */
    APP_FAIR;

    /**
     * The policy for a round.
     *
     * @param history what applications got so far
     */
    Policy policy(final Priorities priorities, final Map<ApplicationId, Throughput> history) {
        return switch (this) {
            case APP_MAX_MIN -> new AppMaxMin();
            case APP_AWARE -> new AppAware();
            case MAX_MIN -> new MaxMinRates();
            case APP_FAIR -> new AppFair(history, priorities.alphaPpm(),
                Math.max(1, priorities.queues().size()));
        };
    }
}
