// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Bandwidth;

/** Rates of a port, as its switch sees them: {@code received} into the switch, {@code sent} out of it. */
public record PortRates(Bandwidth received, Bandwidth sent) {
    public static final PortRates ZERO = new PortRates(Bandwidth.ZERO, Bandwidth.ZERO);
}
