// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import com.google.common.net.InetAddresses;
import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv4Address;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv4Prefix;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv6Address;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv6Prefix;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DottedQuad;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Layer3Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv4Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv4MatchArbitraryBitMask;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv4MatchArbitraryBitMaskBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv4MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6Match;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6MatchArbitraryBitMask;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6MatchArbitraryBitMaskBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.opendaylight.ipv6.arbitrary.bitmask.fields.rev160224.Ipv6ArbitraryMask;

/**
 * IP addresses of a match to and from the OpenFlow plugin's model, which writes prefixes in one way and other masks in
 * another; if one of the two addresses has such a mask, both are written the second way.
 */
final class AddressCodec {
    /**
     * How one IPv6 source is written beside masked destinations: without its first bit. openflowplugin 0.20.1 fails to
     * read back an exact one there, and nothing else of the switch can be read then (OfToSalIpv6DstCase takes the mask
     * of a /128 for one of 129 bits). The first bit is known from the second: they are equal in all addresses of hosts
     * (RFC 4291, section 2.4, and IANA's registry of IPv6 address space; 5f00::/16 is of SRv6's segments, RFC 9602).
     */
    private static final InetAddress ALL_BUT_FIRST = InetAddresses.forString("7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");

    private AddressCodec() {
        // functions only
    }

    /** Layer-3 part that names a source, a destination or both. */
    static Layer3Match encode(final Optional<MaskedIp> source, final Optional<MaskedIp> destination) {
        final boolean prefixes = isPrefix(source) && isPrefix(destination);
        if (source.or(() -> destination).orElseThrow().isIpv6()) {
            return prefixes ? ipv6(source, destination) : maskedIpv6(source, destination);
        }
        return prefixes ? ipv4(source, destination) : maskedIpv4(source, destination);
    }

    static void decode(final Layer3Match layer3, final FlowMatch.Builder builder) {
        switch (layer3) {
            case Ipv4Match ipv4 -> {
                prefix(ipv4.getIpv4Source() == null ? null : ipv4.getIpv4Source().getValue())
                    .ifPresent(builder::source);
                prefix(ipv4.getIpv4Destination() == null ? null : ipv4.getIpv4Destination().getValue())
                    .ifPresent(builder::destination);
            }
            case Ipv6Match ipv6 -> {
                prefix(ipv6.getIpv6Source() == null ? null : ipv6.getIpv6Source().getValue())
                    .ifPresent(builder::source);
                prefix(ipv6.getIpv6Destination() == null ? null : ipv6.getIpv6Destination().getValue())
                    .ifPresent(builder::destination);
            }
            case Ipv4MatchArbitraryBitMask ipv4 -> {
                masked(ipv4.getIpv4SourceAddressNoMask(), ipv4.getIpv4SourceArbitraryBitmask())
                    .ifPresent(builder::source);
                masked(ipv4.getIpv4DestinationAddressNoMask(), ipv4.getIpv4DestinationArbitraryBitmask())
                    .ifPresent(builder::destination);
            }
            case Ipv6MatchArbitraryBitMask ipv6 -> {
                masked(ipv6.getIpv6SourceAddressNoMask(), ipv6.getIpv6SourceArbitraryBitmask())
                    .map(AddressCodec::whole).ifPresent(builder::source);
                masked(ipv6.getIpv6DestinationAddressNoMask(), ipv6.getIpv6DestinationArbitraryBitmask())
                    .ifPresent(builder::destination);
            }
            case null, default -> { }
        }
    }

    /** The prefix that is one address. */
    static Ipv6Prefix ipv6Host(final InetAddress address) {
        return new Ipv6Prefix(text(MaskedIp.host(address)));
    }

    /** The one address that a prefix is; nothing if it is more than one. */
    static Optional<InetAddress> host(final Ipv6Prefix prefix) {
        return prefix(prefix.getValue()).filter(MaskedIp::isHost).map(MaskedIp::address);
    }

    private static Layer3Match ipv4(final Optional<MaskedIp> source, final Optional<MaskedIp> destination) {
        final var builder = new Ipv4MatchBuilder();
        source.ifPresent(prefix -> builder.setIpv4Source(new Ipv4Prefix(text(prefix))));
        destination.ifPresent(prefix -> builder.setIpv4Destination(new Ipv4Prefix(text(prefix))));
        return builder.build();
    }

    private static Layer3Match ipv6(final Optional<MaskedIp> source, final Optional<MaskedIp> destination) {
        final var builder = new Ipv6MatchBuilder();
        source.ifPresent(prefix -> builder.setIpv6Source(new Ipv6Prefix(text(prefix))));
        destination.ifPresent(prefix -> builder.setIpv6Destination(new Ipv6Prefix(text(prefix))));
        return builder.build();
    }

    private static Layer3Match maskedIpv4(final Optional<MaskedIp> source, final Optional<MaskedIp> destination) {
        final var builder = new Ipv4MatchArbitraryBitMaskBuilder();
        source.ifPresent(masked -> builder.setIpv4SourceAddressNoMask(new Ipv4Address(text(masked.address())))
            .setIpv4SourceArbitraryBitmask(masked.isHost() ? null : new DottedQuad(text(masked.mask()))));
        destination.ifPresent(masked -> builder.setIpv4DestinationAddressNoMask(new Ipv4Address(text(masked.address())))
            .setIpv4DestinationArbitraryBitmask(masked.isHost() ? null : new DottedQuad(text(masked.mask()))));
        return builder.build();
    }

    private static Layer3Match maskedIpv6(final Optional<MaskedIp> source, final Optional<MaskedIp> destination) {
        final var builder = new Ipv6MatchArbitraryBitMaskBuilder();
        source.map(one -> one.isHost() ? allButFirst(one) : one).ifPresent(masked ->
            builder.setIpv6SourceAddressNoMask(new Ipv6Address(text(masked.address())))
                .setIpv6SourceArbitraryBitmask(new Ipv6ArbitraryMask(text(masked.mask()))));
        destination.ifPresent(masked -> builder.setIpv6DestinationAddressNoMask(new Ipv6Address(text(masked.address())))
            .setIpv6DestinationArbitraryBitmask(masked.isHost() ? null : new Ipv6ArbitraryMask(text(masked.mask()))));
        return builder.build();
    }

    private static boolean isPrefix(final Optional<MaskedIp> addresses) {
        return addresses.stream().allMatch(masked -> masked.prefixLength().isPresent());
    }

    private static Optional<MaskedIp> prefix(final String text) {
        return Optional.ofNullable(text).map(written -> {
            final int slash = written.indexOf('/');
            return MaskedIp.prefix(InetAddresses.forString(written.substring(0, slash)),
                Integer.parseInt(written.substring(slash + 1)));
        });
    }

    private static Optional<MaskedIp> masked(final Ipv4Address address, final DottedQuad mask) {
        return address == null ? Optional.empty()
            : Optional.of(masked(address.getValue(), mask == null ? null : mask.getValue()));
    }

    private static Optional<MaskedIp> masked(final Ipv6Address address, final Ipv6ArbitraryMask mask) {
        return address == null ? Optional.empty()
            : Optional.of(masked(address.getValue(), mask == null ? null : mask.getValue()));
    }

    private static MaskedIp masked(final String address, final String mask) {
        final var ip = InetAddresses.forString(address);
        return mask == null ? MaskedIp.host(ip) : new MaskedIp(ip, InetAddresses.forString(mask));
    }

    private static MaskedIp allButFirst(final MaskedIp host) {
        final var masked = MaskedIp.of(host.address(), ALL_BUT_FIRST);
        if (!whole(masked).equals(host)) {
            throw new IllegalArgumentException(host.address().getHostAddress()
                + " is no host's address: it can't be matched beside masked destinations");
        }
        return masked;
    }

    /** Undoes what {@link #ALL_BUT_FIRST} does. */
    private static MaskedIp whole(final MaskedIp masked) {
        if (!masked.mask().equals(ALL_BUT_FIRST)) {
            return masked;
        }
        final byte[] octets = masked.address().getAddress();
        octets[0] |= (byte) ((octets[0] & 0x40) << 1);
        return MaskedIp.host(ip(octets));
    }

    private static InetAddress ip(final byte[] octets) {
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(octets.length + " octets are no address", e);
        }
    }

    private static String text(final MaskedIp prefix) {
        return text(prefix.address()) + "/" + prefix.prefixLength().orElseThrow();
    }

    private static String text(final InetAddress address) {
        return InetAddresses.toAddrString(address);
    }
}
