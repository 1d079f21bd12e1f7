// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import io.sluice.api.Pipeline;
import io.sluice.api.PortId;
import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which packets a flow consists of, as its source sends them.
 *
 * @param protocol IP protocol, 0..255; all if empty
 * @param sourcePort 1..65535; all if empty
 * @param destinationPort likewise
 */
public record Packets(InetAddress source, InetAddress destination, OptionalInt protocol, OptionalInt sourcePort,
        OptionalInt destinationPort) {
    /** What keeps a switch from matching them; the model says so too, but the datastore does not ask it. */
    Optional<String> fault() {
        if (source.getAddress().length != destination.getAddress().length) {
            return Optional.of("source " + source.getHostAddress() + " and destination " + destination.getHostAddress()
                + " are not of one family; give both as IPv4 or both as IPv6");
        }
        final int number = protocol.orElse(-1);
        final boolean ports = number == FlowMatch.PROTOCOL_TCP || number == FlowMatch.PROTOCOL_UDP;
        return ports || sourcePort.isEmpty() && destinationPort.isEmpty() ? Optional.empty()
            : Optional.of("a port needs protocol tcp or udp");
    }

    /** Takes them wherever they come in. */
    FlowMatch match() {
        return fields().build();
    }

    /** Takes them where they enter the network: no packet is metered twice, nor one that only claims to be theirs. */
    FlowMatch match(final PortId ingress) {
        return fields().inPort(ingress.number()).build();
    }

    /** The more they say the higher, a destination port before a source port. */
    int priority() {
        return Pipeline.PRIORITY_CONNECTION + (protocol.isPresent() ? 4 : 0) + (destinationPort.isPresent() ? 2 : 0)
            + (sourcePort.isPresent() ? 1 : 0);
    }

    private FlowMatch.Builder fields() {
        final var match = FlowMatch.builder().source(MaskedIp.host(source)).destination(MaskedIp.host(destination));
        protocol.ifPresent(match::ipProtocol);
        sourcePort.ifPresent(match::l4Source);
        destinationPort.ifPresent(match::l4Destination);
        return match;
    }
}
