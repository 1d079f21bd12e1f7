// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EdgePortsTest {
    private static final SwitchId ID = new SwitchId("openflow:1");
    private static final PortId ONE = new PortId(ID, 1);
    private static final PortId TWO = new PortId(ID, 2);
    private static final long START = 5;

    private final EdgePorts ports = new EdgePorts();

    @Test
    void aPortIsSilentOnceItHasBeenUpForLongWithNoLink() {
        ports.update(with(List.of(), ONE, TWO), Set.of(TWO), START);
        assertEquals(Set.of(ONE), ports.at(START + EdgePorts.QUIET_NS));
        assertEquals(Set.of(), ports.silentAt(START + EdgePorts.SILENT_NS - 1));
        assertEquals(Set.of(ONE), ports.silentAt(START + EdgePorts.SILENT_NS));

        ports.update(with(List.of(), TWO), Set.of(TWO), START);
        ports.update(with(List.of(), ONE, TWO), Set.of(TWO), START + EdgePorts.SILENT_NS);
        assertEquals(Set.of(), ports.silentAt(START + EdgePorts.SILENT_NS), "it was down");
    }

    @Test
    void aPortThatGoesUpAndDownIsSilentOnceItHasBeenUpForLongInAll() {
        final long up = EdgePorts.QUIET_NS / 2;
        long now = START;
        for (long silent = 0; silent < EdgePorts.SILENT_NS; silent += up) {
            ports.update(with(List.of(), ONE), Set.of(), now);
            assertEquals(Set.of(), ports.silentAt(now));
            now += up;
            assertEquals(Set.of(), ports.at(now), "an edge port was up for long enough at a time");
            ports.update(with(List.of()), Set.of(), now);
            now += EdgePorts.SILENT_NS;
        }
        ports.update(with(List.of(), ONE), Set.of(), now);
        assertEquals(Set.of(ONE), ports.silentAt(now));
    }

    @Test
    void whatAPortWasSilentForIsForgottenWithALinkAndWithItsSwitch() {
        final var links = List.of(Set.of(ONE), Set.<PortId>of());
        final var without = List.of(with(List.of(), ONE), FabricSnapshot.EMPTY);
        for (int i = 0; i < links.size(); i++) {
            ports.update(with(List.of(), ONE), Set.of(), START);
            ports.update(without.get(i), links.get(i), START + EdgePorts.SILENT_NS);
            ports.update(with(List.of(), ONE), Set.of(), START + EdgePorts.SILENT_NS);
            assertEquals(Set.of(), ports.silentAt(START + EdgePorts.SILENT_NS));
            ports.update(FabricSnapshot.EMPTY, Set.of(), START + EdgePorts.SILENT_NS);
        }
    }

    @Test
    void aPortWithAHostIsAnEdgePortAtOnceAndSilentAsSoonAsOthers() {
        final var host = new Host(new MacAddress(1), Set.of(), ONE);
        ports.update(with(List.of(host), ONE), Set.of(), START);
        assertEquals(Set.of(ONE), ports.at(START));
        ports.update(with(List.of(host), ONE), Set.of(), START + EdgePorts.SILENT_NS);
        assertEquals(Set.of(ONE), ports.silentAt(START + EdgePorts.SILENT_NS));
    }

    private static FabricSnapshot with(final List<Host> hosts, final PortId... up) {
        return new FabricSnapshot(1, Set.of(ID), Stream.of(up).collect(Collectors.toMap(id -> id, id ->
            new Port(id, id.toString(), true, Bandwidth.ZERO, Bandwidth.ZERO, Bandwidth.ZERO))), List.of(), hosts);
    }
}
