// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.net.InetAddresses;
import io.sluice.api.FlowMatch;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IpAddressNoZone;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv4AddressNoZone;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv6AddressNoZone;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.MacAddress;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.VlanId;
import org.opendaylight.yangtools.yang.common.Uint16;

/** Addresses of hosts in the words of the models. */
final class HostWords {
    private HostWords() {
        // functions only
    }

    static MacAddress encode(final io.sluice.api.MacAddress mac) {
        return new MacAddress(mac.toString());
    }

    static io.sluice.api.MacAddress decode(final MacAddress mac) {
        return io.sluice.api.MacAddress.of(mac.getValue());
    }

    /** A VLAN; untagged frames have none. */
    static VlanId vlan(final int vlan) {
        return vlan == FlowMatch.UNTAGGED ? null : new VlanId(Uint16.valueOf(vlan));
    }

    static Set<Integer> vlans(final Collection<VlanId> vlans) {
        return vlans == null ? Set.of() : vlans.stream().map(vlan -> vlan.getValue().toJava())
            .collect(Collectors.toUnmodifiableSet());
    }

    static Set<IpAddressNoZone> encode(final Collection<InetAddress> addresses) {
        return addresses.stream().map(HostWords::encode).collect(Collectors.toUnmodifiableSet());
    }

    static Set<InetAddress> decode(final Collection<IpAddressNoZone> addresses) {
        return addresses == null ? Set.of() : addresses.stream()
            .map(HostWords::decode).collect(Collectors.toUnmodifiableSet());
    }

    static InetAddress decode(final IpAddressNoZone address) {
        return InetAddresses.forString(address.stringValue());
    }

    static IpAddressNoZone encode(final InetAddress address) {
        final var text = InetAddresses.toAddrString(address);
        return address instanceof Inet4Address ? new IpAddressNoZone(new Ipv4AddressNoZone(text))
            : new IpAddressNoZone(new Ipv6AddressNoZone(text));
    }
}
