// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;

/** One step of what a switch does to a packet, in list order. */
public sealed interface Action {
    /** Sends the packet out of a port other than the one it came in by. */
    record Output(long portNumber) implements Action { }

    /** Sends the packet back out of the port it came in by, which {@link Output} would drop. */
    record OutputToIngress() implements Action { }

    /** Sends the whole packet to the controller. */
    record OutputToController() implements Action { }

    /** Hands the packet to a group of the same switch. */
    record ToGroup(long groupId) implements Action { }

    record SetEthernetSource(MacAddress address) implements Action { }

    record SetEthernetDestination(MacAddress address) implements Action { }

    /** Sets the IPv4 or IPv6 source address. */
    record SetIpSource(InetAddress address) implements Action { }

    /** Sets the IPv4 or IPv6 destination address. */
    record SetIpDestination(InetAddress address) implements Action { }

    /**
     * Marks an IPv4 or IPv6 packet, so that queues on its way can tell it (RFC 2474).
     *
     * @param codePoint of differentiated services, 0..{@link #MAX}
     */
    record SetCodePoint(int codePoint) implements Action {
        /** Largest code point. */
        public static final int MAX = 63;

        public SetCodePoint {
            if (codePoint < 0 || codePoint > MAX) {
                throw new IllegalArgumentException("code point " + codePoint + " is not in 0.." + MAX);
            }
        }
    }

    /**
     * Has the port that the packet leaves by put it into one of its queues.
     *
     * @param number of the queue, 0..2^32-2; a port without it uses its ordinary one
     */
    record SetQueue(long number) implements Action { }

    /**
     * Makes an ARP request the reply that {@code sender} is at {@code senderMac}, for {@code target} at {@code
     * targetMac}, who asked (RFC 826); both addresses are IPv4. The Ethernet addresses stay.
     */
    record AnswerArp(MacAddress senderMac, InetAddress sender, MacAddress targetMac, InetAddress target)
            implements Action { }

    /**
     * Makes an IPv6 neighbour solicitation another one, {@code question}, sent to its target (RFC 4861, section 4.3).
     * The Ethernet addresses stay.
     */
    record AskBack(FlowMatch.Question question) implements Action { }
}
