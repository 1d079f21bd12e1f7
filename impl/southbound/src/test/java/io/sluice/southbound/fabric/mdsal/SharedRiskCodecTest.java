// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.FabricView;
import io.sluice.southbound.fabric.PortSettings;
import io.sluice.southbound.fabric.PortStatus;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Fabric;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.FabricBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SharedRiskGroup;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.SwitchesBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.links.Link;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches._switch.PortBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PositiveBitRate;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** From what the operator sets of a port to what is published of its link. */
class SharedRiskCodecTest {
    private static final PortId HERE = new PortId(new SwitchId("openflow:1"), 1);
    private static final PortId THERE = new PortId(new SwitchId("openflow:2"), 7);
    private static final PortId BARE = new PortId(new SwitchId("openflow:2"), 8);
    private static final Bandwidth SPEED = Bandwidth.ofMegabits(1000);
    private static final Fabric SET = new FabricBuilder().setSwitches(new SwitchesBuilder().setSwitch(BindingMap.of(
        new SwitchBuilder().setId(Names.encode(HERE.switchId())).setPort(BindingMap.of(
            new PortBuilder().setNumber(Names.encode(1)).setSharedRiskGroup(groups(Uint32.ZERO, Uint32.MAX_VALUE))
                .build())).build(),
        new SwitchBuilder().setId(Names.encode(THERE.switchId())).setPort(BindingMap.of(
            new PortBuilder().setNumber(Names.encode(7)).setCapacity(new PositiveBitRate(Uint64.TEN)).build(),
            new PortBuilder().setNumber(Names.encode(8)).setVlan(Set.of(HostWords.vlan(1), HostWords.vlan(4094)))
                .build())).build())).build()).build();

    @Test
    void whatIsSetOfPortsIsRead() {
        assertEquals(Map.of(HERE, new PortSettings(Optional.empty(), Set.of(0L, 4_294_967_295L), Set.of(), Set.of()),
            THERE, new PortSettings(Optional.of(new Bandwidth(10)), Set.of(), Set.of(), Set.of()),
            BARE, new PortSettings(Optional.empty(), Set.of(), Set.of(), Set.of(1, 4094))), SettingsWatcher.ports(SET));
        assertEquals(Map.of(), SettingsWatcher.ports(new FabricBuilder().build()));
    }

    @Test
    void bothDirectionsOfTheLinkAreInTheGroupsOfOneEnd() {
        final var published = FabricModels.encode(snapshot(), Map.of()).values().stream()
            .filter(Link.class::isInstance).map(Link.class::cast)
            .collect(Collectors.toMap(link -> link.getCapacity().getValue(), Link::getSharedRiskGroup));

        final var set = groups(Uint32.ZERO, Uint32.MAX_VALUE);
        assertEquals(Map.of(Uint64.valueOf(SPEED.bitsPerSecond()), set, Uint64.TEN, set), published);
    }

    private static FabricSnapshot snapshot() {
        final var loop = new ArrayDeque<Runnable>();
        final var view = new FabricView(loop::add);
        for (var port : Set.of(HERE, THERE)) {
            view.attached(port.switchId());
            view.portSeen(new PortStatus(port, "eth", true, SPEED));
        }
        view.linkFound(HERE, THERE);
        view.linkFound(THERE, HERE);
        view.settings(SettingsWatcher.ports(SET));
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
        return view.snapshot();
    }

    private static Set<SharedRiskGroup> groups(final Uint32... numbers) {
        return Set.of(numbers).stream().map(SharedRiskGroup::new).collect(Collectors.toSet());
    }
}
