// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.api.FlowMatch;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IpAddressNoZone;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.PieceNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Transport;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.VlanId;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Single values to and from their YANG types; what is absent is null on the YANG side. */
final class Values {
    private Values() {
        // functions only
    }

    static IpAddressNoZone address(final InetAddress address) {
        return IetfInetUtil.ipAddressNoZoneFor(address);
    }

    static InetAddress address(final IpAddressNoZone address) {
        return IetfInetUtil.inetAddressForNoZone(address);
    }

    static org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId switchId(final SwitchId switchId) {
        return new org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId(switchId.value());
    }

    static SwitchId switchId(final org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId switchId) {
        return new SwitchId(switchId.getValue());
    }

    static org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PortNumber portNumber(final PortId port) {
        return new org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PortNumber(Uint32.valueOf(port.number()));
    }

    static PortId portId(final org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId switchId,
            final org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PortNumber number) {
        return new PortId(switchId(switchId), number.getValue().toJava());
    }

    /** A VLAN; untagged packets have none. */
    static VlanId vlan(final int vlan) {
        return vlan == FlowMatch.UNTAGGED ? null : new VlanId(Uint16.valueOf(vlan));
    }

    static int vlan(final VlanId vlan) {
        return vlan == null ? FlowMatch.UNTAGGED : vlan.getValue().toJava();
    }

    static PortNumber port(final OptionalInt port) {
        return port.isPresent() ? new PortNumber(Uint16.valueOf(port.getAsInt())) : null;
    }

    static OptionalInt port(final PortNumber port) {
        return port == null ? OptionalInt.empty() : OptionalInt.of(port.getValue().toJava());
    }

    static ObjectName name(final Optional<String> name) {
        return name.map(ObjectName::new).orElse(null);
    }

    static Optional<String> name(final ObjectName name) {
        return Optional.ofNullable(name).map(ObjectName::getValue);
    }

    static PieceNumber piece(final OptionalInt piece) {
        return piece.isPresent() ? new PieceNumber(Uint16.valueOf(piece.getAsInt())) : null;
    }

    static BitRate rate(final Bandwidth rate) {
        return new BitRate(Uint64.valueOf(rate.bitsPerSecond()));
    }

    /** A rate that something limits; null for one that nothing does, or that is not known. */
    static BitRate limited(final Optional<Bandwidth> rate) {
        return rate.filter(known -> !known.equals(Bandwidth.ZERO)).map(Values::rate).orElse(null);
    }

    static DateAndTime time(final Instant time) {
        return new DateAndTime(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atOffset(ZoneOffset.UTC)));
    }

    /** A path to read: its switches, each but the last with the port by which it is left. */
    static String text(final Path path) {
        return Stream.concat(path.links().stream().map(link -> link.source().toString()),
            Stream.of(path.destination().toString())).collect(Collectors.joining(" > "));
    }

    /** A share or ratio, 1 being the whole, in parts per million. */
    static Uint32 ppm(final double ratio) {
        return Uint32.valueOf(Math.min(Uint32.MAX_VALUE.toJava(), Math.round(ratio * 1e6)));
    }

    /** The transport of an IP protocol; null for one without ports. */
    static Transport transport(final int protocol) {
        return switch (protocol) {
            case FlowMatch.PROTOCOL_TCP -> Transport.Tcp;
            case FlowMatch.PROTOCOL_UDP -> Transport.Udp;
            default -> null;
        };
    }

    /** The IP protocol of a transport; TCP if it is not said. */
    static int protocol(final Transport transport) {
        return transport == Transport.Udp ? FlowMatch.PROTOCOL_UDP : FlowMatch.PROTOCOL_TCP;
    }
}
