// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.bandwidth.AppAware;
import io.sluice.bandwidth.AppMaxMin;
import io.sluice.bandwidth.MaxMinRates;
import io.sluice.bandwidth.Policy;

/** A policy that meters can enforce, by the name that {@code sluice-bandwidth} gives it. */
public enum PolicyName {
    APP_MAX_MIN(new AppMaxMin()),
    APP_AWARE(new AppAware()),
    MAX_MIN(new MaxMinRates());

    private final Policy policy;

    PolicyName(final Policy policy) {
        this.policy = policy;
    }

    Policy policy() {
        return policy;
    }
}
