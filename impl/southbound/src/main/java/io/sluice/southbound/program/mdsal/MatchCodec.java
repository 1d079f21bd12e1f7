// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.Optional;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Dscp;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.MacAddress;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.l2.types.rev130827.EtherType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetDestination;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetDestinationBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetTypeBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.EthernetMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.IpMatch;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.IpMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Layer4Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.ArpMatch;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._4.match.TcpMatch;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._4.match.TcpMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._4.match.UdpMatch;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._4.match.UdpMatchBuilder;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Matches to and from the OpenFlow plugin's model. */
final class MatchCodec {
    private MatchCodec() {
        // functions only
    }

    /** Returns {@code match} as a match of {@code switchId}'s. */
    static org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.Match encode(
            final SwitchId switchId, final FlowMatch match) {
        final var builder = new org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.MatchBuilder();
        match.inPort().ifPresent(number ->
            builder.setInPort(new NodeConnectorId(new PortId(switchId, number).toString())));
        if (match.ethernetType().isPresent() || match.ethernetDestination().isPresent()) {
            builder.setEthernetMatch(encodeEthernet(match));
        }
        match.vlan().ifPresent(tag -> builder.setVlanMatch(VlanCodec.encode(tag)));
        if (match.ipProtocol().isPresent() || match.codePoint().isPresent()) {
            builder.setIpMatch(encodeIp(match));
        }
        if (match.source().isPresent() || match.destination().isPresent()) {
            builder.setLayer3Match(AddressCodec.encode(match.source(), match.destination()));
        }
        match.question().ifPresent(question -> {
            if (question.isIpv6()) {
                builder.setLayer3Match(NeighbourCodec.encode(question)).setIcmpv6Match(NeighbourCodec.SOLICITATION);
            } else {
                builder.setLayer3Match(ArpCodec.encode(question));
            }
        });
        if (match.l4Source().isPresent() || match.l4Destination().isPresent()) {
            builder.setLayer4Match(encodePorts(match));
        }
        return builder.build();
    }

    /** Returns the match, or nothing if it has a field that Sluice never uses. */
    static Optional<FlowMatch> decode(final SwitchId switchId, final Match match) {
        if (match == null) {
            return Optional.of(FlowMatch.ANY);
        }
        try {
            final var decoded = decoded(switchId, match);
            return saysMore(match, encode(switchId, decoded)) ? Optional.empty() : Optional.of(decoded);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Reads the fields that Sluice uses; throws if one has a value that Sluice can't have given it. */
    private static FlowMatch decoded(final SwitchId switchId, final Match match) {
        final var builder = FlowMatch.builder();
        if (match.getInPort() != null) {
            builder.inPort(Long.parseLong(match.getInPort().getValue().substring(switchId.value().length() + 1)));
        }
        decodeEthernet(match, builder);
        VlanCodec.decode(match.getVlanMatch()).ifPresent(builder::vlan);
        decodeIp(match.getIpMatch(), builder);
        switch (match.getLayer3Match()) {
            case ArpMatch arp -> builder.question(ArpCodec.decode(arp));
            case Ipv6Match ipv6 when ipv6.getIpv6NdTarget() != null ->
                builder.question(NeighbourCodec.decode(ipv6, match.getIcmpv6Match()));
            case null, default -> AddressCodec.decode(match.getLayer3Match(), builder);
        }
        decodePorts(match.getLayer4Match(), builder);
        return builder.build();
    }

    static MacAddress encode(final io.sluice.api.MacAddress address) {
        return new MacAddress(address.toString());
    }

    static io.sluice.api.MacAddress decode(final MacAddress address) {
        return io.sluice.api.MacAddress.of(address.getValue());
    }

    /** True if a match has fields beyond those that were decoded: its encoding would lack them. */
    private static boolean saysMore(final Match match, final Match encoded) {
        return match.getMetadata() != null || match.getTunnel() != null
            || match.getProtocolMatchFields() != null || match.getIcmpv4Match() != null
            || match.getTcpFlagsMatch() != null || match.getInPhyPort() != null
            || match.getPacketTypeMatch() != null
            || match.getIcmpv6Match() != null && encoded.getIcmpv6Match() == null
            || match.getLayer3Match() != null && encoded.getLayer3Match() == null
            || match.getLayer4Match() != null && encoded.getLayer4Match() == null
            || match.getLayer4Match() instanceof TcpMatch tcp && (tcp.getTcpSourcePortMask() != null
                || tcp.getTcpDestinationPortMask() != null)
            || match.getLayer4Match() instanceof UdpMatch udp && (udp.getUdpSourcePortMask() != null
                || udp.getUdpDestinationPortMask() != null)
            || match.getEthernetMatch() != null && match.getEthernetMatch().getEthernetSource() != null
            || match.getIpMatch() != null && match.getIpMatch().getIpEcn() != null;
    }

    private static IpMatch encodeIp(final FlowMatch match) {
        final var builder = new IpMatchBuilder();
        match.ipProtocol().ifPresent(protocol -> builder.setIpProtocol(Uint8.valueOf(protocol)));
        match.codePoint().ifPresent(mark -> builder.setIpDscp(new Dscp(Uint8.valueOf(mark))));
        return builder.build();
    }

    private static void decodeIp(final IpMatch ip, final FlowMatch.Builder builder) {
        if (ip != null && ip.getIpProtocol() != null) {
            builder.ipProtocol(ip.getIpProtocol().toJava());
        }
        if (ip != null && ip.getIpDscp() != null) {
            builder.codePoint(ip.getIpDscp().getValue().toJava());
        }
    }

    private static org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.EthernetMatch
            encodeEthernet(final FlowMatch match) {
        final var builder = new EthernetMatchBuilder();
        match.ethernetType().ifPresent(type -> builder.setEthernetType(
            new EthernetTypeBuilder().setType(new EtherType(Uint32.valueOf(type))).build()));
        match.ethernetDestination().ifPresent(masked -> builder.setEthernetDestination(encode(masked)));
        return builder.build();
    }

    private static EthernetDestination encode(final MaskedMac masked) {
        final var builder = new EthernetDestinationBuilder().setAddress(encode(masked.address()));
        return masked.equals(MaskedMac.exact(masked.address())) ? builder.build()
            : builder.setMask(encode(masked.mask())).build();
    }

    private static void decodeEthernet(final Match match, final FlowMatch.Builder builder) {
        final var ethernet = match.getEthernetMatch();
        if (ethernet == null) {
            return;
        }
        if (ethernet.getEthernetType() != null) {
            builder.ethernetType(ethernet.getEthernetType().getType().getValue().intValue());
        }
        final var destination = ethernet.getEthernetDestination();
        if (destination != null) {
            final var address = decode(destination.getAddress());
            builder.ethernetDestination(destination.getMask() == null ? MaskedMac.exact(address)
                : new MaskedMac(address, decode(destination.getMask())));
        }
    }

    private static Layer4Match encodePorts(final FlowMatch match) {
        if (match.ipProtocol().getAsInt() == FlowMatch.PROTOCOL_TCP) {
            final var builder = new TcpMatchBuilder();
            match.l4Source().ifPresent(number -> builder.setTcpSourcePort(port(number)));
            match.l4Destination().ifPresent(number -> builder.setTcpDestinationPort(port(number)));
            return builder.build();
        }
        final var builder = new UdpMatchBuilder();
        match.l4Source().ifPresent(number -> builder.setUdpSourcePort(port(number)));
        match.l4Destination().ifPresent(number -> builder.setUdpDestinationPort(port(number)));
        return builder.build();
    }

    private static void decodePorts(final Layer4Match layer4, final FlowMatch.Builder builder) {
        if (layer4 instanceof TcpMatch tcp) {
            decodePorts(tcp.getTcpSourcePort(), tcp.getTcpDestinationPort(), builder);
        } else if (layer4 instanceof UdpMatch udp) {
            decodePorts(udp.getUdpSourcePort(), udp.getUdpDestinationPort(), builder);
        }
    }

    private static void decodePorts(final PortNumber source, final PortNumber destination,
            final FlowMatch.Builder builder) {
        if (source != null) {
            builder.l4Source(source.getValue().toJava());
        }
        if (destination != null) {
            builder.l4Destination(destination.getValue().toJava());
        }
    }

    private static PortNumber port(final int number) {
        return new PortNumber(Uint16.valueOf(number));
    }
}
