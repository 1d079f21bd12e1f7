// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.DomainName;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv4AddressNoZone;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.BusBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.NodeName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Port;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublicKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.SiteName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.Node;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.NodeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSite;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSiteBuilder;
import org.opendaylight.yangtools.yang.common.Uint16;

/** Configurations as the datastore has them. */
final class Configured {
    private Configured() {
        // functions only
    }

    static BusBuilder site(final String name) {
        return new BusBuilder().setSite(new SiteName(name)).setAddress(new Ipv4AddressNoZone("127.0.0.1"));
    }

    static Node node(final String name, final String... keys) {
        return new NodeBuilder().setName(new NodeName(name))
            .setPublicKey(Arrays.stream(keys).map(PublicKey::new).collect(Collectors.toSet())).build();
    }

    static RemoteSite remote(final String name, final String key) {
        return new RemoteSiteBuilder().setName(new SiteName(name)).setAddress(new DomainName("192.0.2.1"))
            .setPublicKey(new PublicKey(key)).build();
    }

    static Port port(final int number) {
        return new Port(Uint16.valueOf(number));
    }
}
