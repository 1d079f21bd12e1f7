// SPDX-License-Identifier: EPL-2.0
/** Who waits for what OpenDaylight's OpenFlow library can't read; its bindings stand in {@code mdsal}. */
package io.sluice.southbound.decoders;
