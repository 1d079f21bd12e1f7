// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import com.google.common.net.InetAddresses;
import io.sluice.api.Action.AskBack;
import io.sluice.api.FlowMatch.Question;
import java.util.List;
import java.util.Optional;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv6Address;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Icmpv6Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Icmpv6MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Layer3Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6MatchBuilder;
import org.opendaylight.yangtools.yang.common.Uint8;

/** The fields of IPv6 neighbour solicitations to and from the OpenFlow plugin's model. */
final class NeighbourCodec {
    /** How many actions make a solicitation another one: each sets one field (OpenFlow 1.3.5, section 7.2.5). */
    static final int STEPS = 4;

    /** The type of ICMPv6 messages that are solicitations (RFC 4861, section 4.3). */
    static final Icmpv6Match SOLICITATION = new Icmpv6MatchBuilder().setIcmpv6Type(Uint8.valueOf(135)).build();

    private NeighbourCodec() {
        // functions only
    }

    static Ipv6Match encode(final Question question) {
        return new Ipv6MatchBuilder().setIpv6Source(AddressCodec.ipv6Host(question.sender()))
            .setIpv6NdSll(MatchCodec.encode(question.senderMac()))
            .setIpv6NdTarget(address(question)).build();
    }

    /** Returns the question; throws {@link IllegalArgumentException} if Sluice can't have asked for it. */
    static Question decode(final Ipv6Match match, final Icmpv6Match type) {
        if (!SOLICITATION.equals(type) || match.getIpv6Source() == null || match.getIpv6NdSll() == null
                || match.getIpv6Destination() != null || match.getIpv6NdTll() != null || match.getIpv6Label() != null
                || match.getIpv6ExtHeader() != null) {
            throw new IllegalArgumentException("not a solicitation, or more than that");
        }
        final var sender = AddressCodec.host(match.getIpv6Source()).orElseThrow(() ->
            new IllegalArgumentException("not one sender: " + match.getIpv6Source().getValue()));
        return new Question(MatchCodec.decode(match.getIpv6NdSll()), sender,
            InetAddresses.forString(match.getIpv6NdTarget().getValue()));
    }

    /** The fields to set, in order. */
    static List<Ipv6Match> encode(final AskBack ask) {
        final var question = ask.question();
        return List.of(new Ipv6MatchBuilder().setIpv6NdTarget(address(question)).build(),
            new Ipv6MatchBuilder().setIpv6NdSll(MatchCodec.encode(question.senderMac())).build(),
            new Ipv6MatchBuilder().setIpv6Source(AddressCodec.ipv6Host(question.sender())).build(),
            new Ipv6MatchBuilder().setIpv6Destination(AddressCodec.ipv6Host(question.target())).build());
    }

    /** Returns the action that sets the first of these fields in this order, or nothing if there is none. */
    static Optional<AskBack> decode(final List<Layer3Match> fields) {
        if (fields.size() < STEPS || !(fields.get(0) instanceof Ipv6Match target) || target.getIpv6NdTarget() == null
                || !(fields.get(1) instanceof Ipv6Match mac) || mac.getIpv6NdSll() == null
                || !(fields.get(2) instanceof Ipv6Match source) || source.getIpv6Source() == null
                || !(fields.get(3) instanceof Ipv6Match destination) || destination.getIpv6Destination() == null) {
            return Optional.empty();
        }
        final var asked = InetAddresses.forString(target.getIpv6NdTarget().getValue());
        return AddressCodec.host(destination.getIpv6Destination()).filter(asked::equals)
            .flatMap(same -> AddressCodec.host(source.getIpv6Source()))
            .map(sender -> new AskBack(new Question(MatchCodec.decode(mac.getIpv6NdSll()), sender, asked)));
    }

    private static Ipv6Address address(final Question question) {
        return new Ipv6Address(InetAddresses.toAddrString(question.target()));
    }
}
