// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

/**
 * How paths are judged.
 *
 * @param costTolerancePpm a path serves beside the best only if it costs at most this much more
 * @param leastGainPpm a flow moves only if its rate grows by this
 * @param holdNs a flow that moved stays this long
 */
public record PlacerSettings(long costTolerancePpm, long leastGainPpm, long holdNs) { }
