// SPDX-License-Identifier: EPL-2.0
/**
 * Messages of switches that OpenDaylight's OpenFlow library can't read by itself. It looks decoders of experimenters up
 * by the identity of a number that it has just read, and so never finds one; here they are put in at the level above,
 * where messages are looked up by type. What a switch says of its flow tables it reads, but can't keep if a field of
 * them is not one of OpenFlow's own.
 */
package io.sluice.southbound.decoders.mdsal;
