// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import com.google.common.net.InetAddresses;
import io.sluice.api.Action.AnswerArp;
import io.sluice.api.FlowMatch.Question;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv4Prefix;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.arp.match.fields.ArpSourceHardwareAddressBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.arp.match.fields.ArpTargetHardwareAddressBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Layer3Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.ArpMatch;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.ArpMatchBuilder;
import org.opendaylight.yangtools.yang.common.Uint16;

/** The fields of ARP to and from the OpenFlow plugin's model. */
final class ArpCodec {
    /** How many actions make a request its answer: each sets one field (OpenFlow 1.3.5, section 7.2.5). */
    static final int STEPS = 5;

    private static final Uint16 REQUEST = Uint16.ONE;
    private static final Uint16 REPLY = Uint16.TWO;

    private ArpCodec() {
        // functions only
    }

    static ArpMatch encode(final Question request) {
        return new ArpMatchBuilder().setArpOp(REQUEST)
            .setArpSourceHardwareAddress(new ArpSourceHardwareAddressBuilder()
                .setAddress(MatchCodec.encode(request.senderMac())).build())
            .setArpSourceTransportAddress(prefix(request.sender()))
            .setArpTargetTransportAddress(prefix(request.target())).build();
    }

    /** Returns the request; throws {@link IllegalArgumentException} if Sluice can't have asked for it. */
    static Question decode(final ArpMatch match) {
        final var mac = match.getArpSourceHardwareAddress();
        if (mac == null || match.getArpSourceTransportAddress() == null
                || match.getArpTargetTransportAddress() == null) {
            throw new IllegalArgumentException("not all of a request");
        }
        final var request = new Question(MatchCodec.decode(mac.getAddress()),
            address(match.getArpSourceTransportAddress()), address(match.getArpTargetTransportAddress()));
        if (!encode(request).equals(match)) {
            throw new IllegalArgumentException("more than a request");
        }
        return request;
    }

    /** The fields to set, in order. */
    static List<ArpMatch> encode(final AnswerArp answer) {
        return List.of(new ArpMatchBuilder().setArpOp(REPLY).build(),
            new ArpMatchBuilder().setArpSourceHardwareAddress(new ArpSourceHardwareAddressBuilder()
                .setAddress(MatchCodec.encode(answer.senderMac())).build()).build(),
            new ArpMatchBuilder().setArpSourceTransportAddress(prefix(answer.sender())).build(),
            new ArpMatchBuilder().setArpTargetHardwareAddress(new ArpTargetHardwareAddressBuilder()
                .setAddress(MatchCodec.encode(answer.targetMac())).build()).build(),
            new ArpMatchBuilder().setArpTargetTransportAddress(prefix(answer.target())).build());
    }

    /** Returns the action that sets the first of these fields in this order, or nothing if there is none. */
    static Optional<AnswerArp> decode(final List<Layer3Match> following) {
        final var fields = following.stream().limit(STEPS).filter(ArpMatch.class::isInstance).map(ArpMatch.class::cast)
            .toList();
        if (fields.size() < STEPS || fields.get(1).getArpSourceHardwareAddress() == null
                || fields.get(2).getArpSourceTransportAddress() == null
                || fields.get(3).getArpTargetHardwareAddress() == null
                || fields.get(4).getArpTargetTransportAddress() == null) {
            return Optional.empty();
        }
        final var answer = new AnswerArp(
            MatchCodec.decode(fields.get(1).getArpSourceHardwareAddress().getAddress()),
            address(fields.get(2).getArpSourceTransportAddress()),
            MatchCodec.decode(fields.get(3).getArpTargetHardwareAddress().getAddress()),
            address(fields.get(4).getArpTargetTransportAddress()));
        return encode(answer).equals(fields) ? Optional.of(answer) : Optional.empty();
    }

    private static Ipv4Prefix prefix(final InetAddress address) {
        return new Ipv4Prefix(InetAddresses.toAddrString(address) + "/32");
    }

    private static InetAddress address(final Ipv4Prefix prefix) {
        final var text = prefix.getValue();
        return InetAddresses.forString(text.substring(0, text.indexOf('/')));
    }
}
