// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import java.util.Set;

/** What a flow should have, and the links that it passes. */
record Target(Metering metering, Set<String> links) {
    Target at(final long kilobits) {
        return new Target(metering.at(kilobits), links);
    }
}
