// SPDX-License-Identifier: EPL-2.0
/**
 * The edge to MD-SAL: the bus inside the controller, as {@code sluice-bus} configures and shows it. What it does is
 * decided in {@link io.sluice.bus.EmbeddedBus}.
 */
package io.sluice.bus.mdsal;
