// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.ManualClock;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotServersTest {
    private static final SwitchId EDGE = new SwitchId("openflow:1");
    private static final InetAddress CLIENT = Addresses.ip("fd00::1");
    private static final InetAddress SERVER = Addresses.ip("fd00::2");

    @Test
    void clientsAreAddressesOfTheServicesFamilyThatAreNeitherLinkLocalNorItsServers() {
        final var servers = new SlotServers(new ManualClock());
        final var hosts = List.of(
            host(1, CLIENT, Addresses.ip("fe80::1"), Addresses.ip("10.0.0.1")),
            host(2, SERVER, Addresses.ip("fe80::2")));
        servers.observe(new FabricSnapshot(1, Set.of(EDGE), Map.of(), List.of(), hosts));
        final var service = new Service("web", FlowMatch.PROTOCOL_TCP, Optional.of(Addresses.ip("fd00::100")),
            OptionalInt.empty(), 1, OptionalInt.of(16), Optional.empty(),
            List.of(new Server("s1", SERVER, 4, 1, List.of())), 60_000);
        assertEquals(Map.of(CLIENT, EDGE), servers.clients(service));
    }

    private static Host host(final int number, final InetAddress... addresses) {
        return new Host(new MacAddress(number), Set.of(addresses), new PortId(EDGE, number));
    }
}
