// SPDX-License-Identifier: EPL-2.0
/** The edge to OpenDaylight: inventory, topology, packets and counters in, the operational fabric out. */
package io.sluice.southbound.fabric.mdsal;
