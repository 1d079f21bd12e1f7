// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VlanTest {
    private static final SwitchId ONE = new SwitchId("openflow:1");
    private static final SwitchId TWO = new SwitchId("openflow:2");
    private static final InetAddress NEAR = ip("10.0.0.1");
    private static final InetAddress FAR = ip("10.0.0.2");

    @Test
    void equalAddressesOfTwoVlansAreTwoHosts() {
        final var untagged = new Host(new MacAddress(2), Set.of(NEAR), new PortId(ONE, 1));
        final var tagged = new Host(10, new MacAddress(2), Set.of(NEAR, FAR), new PortId(TWO, 1));
        final var snapshot = new FabricSnapshot(1, Set.of(), Map.of(), List.of(), List.of(tagged, untagged));

        assertEquals(Optional.of(untagged), snapshot.host(NEAR));
        assertEquals(Optional.of(tagged), snapshot.host(10, NEAR));
        assertEquals(Optional.empty(), snapshot.host(20, NEAR));
        assertEquals(Optional.empty(), snapshot.host(FAR));
        assertEquals(Map.of(NEAR, ONE), snapshot.places());
    }

    @Test
    void aConnectionKeepsItsVlanAndItsEntriesLookAtIt() {
        final var connection = new Connection(FlowMatch.PROTOCOL_TCP, NEAR, FAR, 1000, 80);

        assertEquals(OptionalInt.empty(), connection.match().vlan());
        assertEquals(OptionalInt.of(10), connection.in(10).match().vlan());
        assertEquals(connection.reversed().in(10), connection.in(10).reversed());
        assertEquals(10, new Fragment(1, false).matched(connection.in(10)).vlan());
        assertEquals("vlan 10 6 10.0.0.1.1000 > 10.0.0.2.80", connection.in(10).toString());
    }

    @ParameterizedTest
    @ValueSource(ints = { -1, 4095, FlowMatch.TAGGED })
    void whatIsNoVlanIsRefused(final int vlan) {
        assertThrows(IllegalArgumentException.class, () -> new Host(vlan, new MacAddress(2), Set.of(),
            new PortId(ONE, 1)));
        assertThrows(IllegalArgumentException.class, () -> new Connection(vlan, FlowMatch.PROTOCOL_ICMP, NEAR, FAR, 0,
            0));
    }

    @Test
    void aMatchNamesItsTag() {
        assertEquals("vlan_vid=none", FlowMatch.builder().vlan(FlowMatch.UNTAGGED).build().toString());
        assertEquals("vlan_vid=any", FlowMatch.builder().vlan(FlowMatch.TAGGED).build().toString());
        assertEquals("vlan_vid=4094", FlowMatch.builder().vlan(FlowMatch.MAX_VLAN).build().toString());
    }

    private static InetAddress ip(final String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
