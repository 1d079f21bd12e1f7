// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/**
 * A port as the fabric sees it now.
 *
 * @param name what the switch calls it
 * @param up true if it is administratively up and has carrier
 * @param capacity the operator's figure, else the speed that the switch reports, per direction
 * @param received rate into the switch, mean over the last sampling interval; zero before the second sample
 * @param sent rate out of the switch, likewise
 */
public record Port(PortId id, String name, boolean up, Bandwidth capacity, Bandwidth received, Bandwidth sent) { }
