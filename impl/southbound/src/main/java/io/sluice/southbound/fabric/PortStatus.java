// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;

/**
 * A port as its switch describes it.
 *
 * @param up true if it is administratively up and has carrier
 * @param speed what the switch reports, zero if it doesn't know
 */
public record PortStatus(PortId id, String name, boolean up, Bandwidth speed) { }
