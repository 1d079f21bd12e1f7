// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.net.InetAddresses;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import java.net.InetAddress;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Only answers to the fabric's own questions are solicited: anything else may come from a former owner. */
class SightingTest {
    private static final MacAddress MAC = MacAddress.of("0a:00:00:00:00:01");
    private static final InetAddress IPV4 = InetAddresses.forString("10.0.0.100");
    private static final InetAddress IPV6 = InetAddresses.forString("fd00::100");

    @Test
    void anArpReplyToTheFabricIsSolicited() {
        assertTrue(of(Frames.arpReply(from(FabricAddress.MAC), IPV4, FabricAddress.NO_IPV4)).solicited());
        assertTrue(of(Frames.arpReply(from(MacAddress.BROADCAST), IPV4, FabricAddress.NO_IPV4)).solicited(),
            "replies for link-local addresses go to all (RFC 3927, section 2.5)");
    }

    @Test
    void whatAHostAnnouncesOrAsksIsNotSolicited() {
        final var announced = of(Frames.arpReply(from(MacAddress.BROADCAST), IPV4, IPV4));
        assertEquals(Optional.of(IPV4), announced.address());
        assertFalse(announced.solicited());
        assertFalse(of(Frames.arpRequest(MAC, IPV4, IPV4)).solicited());
        assertFalse(of(Frames.neighbourSolicitation(MAC, IPV6, IPV6)).solicited());
    }

    @Test
    void anAdvertisementIsSolicitedIfItGoesToTheFabric() {
        assertTrue(of(Frames.neighbourAdvertisement(from(FabricAddress.MAC), IPV6, FabricAddress.LINK_LOCAL))
            .solicited());
        assertFalse(of(Frames.neighbourAdvertisement(from(Frames.groupMac(FabricAddress.ALL_NODES)), IPV6,
            FabricAddress.ALL_NODES)).solicited());
    }

    private static Ethernet from(final MacAddress to) {
        return new Ethernet(to, MAC, Ethernet.UNTAGGED);
    }

    private static Sighting of(final byte[] frame) {
        return Sighting.of(PacketIn.of(new PortId(new SwitchId("openflow:1"), 1), frame)).orElseThrow();
    }
}
