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
