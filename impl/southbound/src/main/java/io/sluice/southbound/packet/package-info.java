// SPDX-License-Identifier: EPL-2.0
/**
 * Ethernet frames as values, and the few frames that the fabric sends by itself.
 *
 * <p>{@link io.sluice.southbound.packet.Frames#parse} reads what a switch hands up: ARP, neighbour and router
 * discovery, DHCP, and of everything else the connection that it belongs to. It accepts any octets, hostile ones
 * included, and says with {@link io.sluice.southbound.packet.Packet.Malformed} what is wrong with them; it never
 * throws. What is not needed (the payload, most options) is not read.
 *
 * <p>The builders make ARP requests and replies (RFC 826), neighbour solicitations and advertisements (RFC 4861), and
 * empty TCP and UDP packets. {@link io.sluice.southbound.packet.Rejection} answers a packet by a TCP reset or an ICMP
 * error (RFC 9293, 1812, 4443).
 */
package io.sluice.southbound.packet;
