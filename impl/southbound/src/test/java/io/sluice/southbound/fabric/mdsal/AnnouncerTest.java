// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.MacAddress;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Notifier;
import io.sluice.southbound.hosts.HostChange;
import io.sluice.southbound.ovsdb.FailMode;
import io.sluice.testlib.Addresses;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.HostChange.Change;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.PortChange.State;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SwitchChange;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SwitchChangeBuilder;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;

class AnnouncerTest {
    private static final SwitchId ONE = new SwitchId("openflow:1");
    private static final SwitchId TWO = new SwitchId("openflow:2");
    private static final Port NEAR = port(ONE, true);
    private static final Port FAR = port(TWO, true);
    private static final Link LINK = link(Bandwidth.ZERO);
    private static final FabricSnapshot BOTH = fabric(List.of(NEAR, FAR), LINK);

    private final List<Object> told = new ArrayList<>();
    private final Announcer announcer = new Announcer(new Notifier((NotificationPublishService) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {NotificationPublishService.class}, (proxy, method, arguments) -> {
            told.add(arguments[0]);
            return FluentFutures.immediateNullFluentFuture();
        })));

    @BeforeEach
    void twoSwitchesAndALink() {
        announcer.start(BOTH);
    }

    @Test
    void whatItBeginsWithIsNoNews() {
        announcer.update(BOTH);

        assertTold();
    }

    @Test
    void aSwitchComesBeforeItsPortsAndLinks() {
        announcer.start(FabricSnapshot.EMPTY);
        announcer.update(BOTH);

        assertTold(SwitchWords.change(ONE, SwitchChange.Change.Attached),
            SwitchWords.change(TWO, SwitchChange.Change.Attached),
            FabricModels.portChange(NEAR.id(), NEAR.name(), State.Up),
            FabricModels.portChange(FAR.id(), FAR.name(), State.Up), FabricModels.linkChange(LINK, true));
    }

    @Test
    void aSwitchThatDetachesTakesItsPortsAndLinksAlong() {
        announcer.update(fabric(List.of(NEAR)));

        assertTold(FabricModels.linkChange(LINK, false), SwitchWords.change(TWO, SwitchChange.Change.Detached),
            FabricModels.portChange(FAR.id(), FAR.name(), State.Gone));
    }

    @Test
    void aPortGoesDownComesUpAndIsTakenOut() {
        announcer.start(fabric(List.of(NEAR, FAR)));
        announcer.update(fabric(List.of(NEAR, port(TWO, false))));
        announcer.update(fabric(List.of(NEAR, FAR)));
        announcer.update(new FabricSnapshot(0, Set.of(ONE, TWO), ports(List.of(NEAR)), List.of(), List.of()));

        assertTold(FabricModels.portChange(FAR.id(), FAR.name(), State.Down),
            FabricModels.portChange(FAR.id(), FAR.name(), State.Up),
            FabricModels.portChange(FAR.id(), FAR.name(), State.Gone));
    }

    @Test
    void aLinkWithAnotherLoadIsNoNews() {
        announcer.update(fabric(List.of(NEAR, FAR), link(Bandwidth.ofMegabits(5))));

        assertTold();
    }

    @Test
    void whatIsToldIsNotToldAgain() {
        announcer.update(fabric(List.of(NEAR)));
        told.clear();
        announcer.update(fabric(List.of(NEAR)));

        assertTold();
    }

    @Test
    void aSwitchIsForgottenAndAFailModeIsToldWithTheMode() {
        announcer.failMode(ONE, FailMode.SECURE);
        announcer.forgotten(ONE);

        assertTold(new SwitchChangeBuilder().setSwitch(Names.encode(ONE)).setChange(SwitchChange.Change.FailMode)
            .setFailMode(org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.FailMode.Secure).build(),
            SwitchWords.change(ONE, SwitchChange.Change.Forgotten));
    }

    @Test
    void everyChangeOfAHostIsTold() {
        final var address = Addresses.ip("10.0.0.1");
        final var host = new Host(MacAddress.of("0a:00:00:00:00:01"), Set.of(address), NEAR.id());
        List.of(new HostChange.Appeared(host), new HostChange.Moved(host, FAR.id()),
            new HostChange.AddressAdded(host, address), new HostChange.AddressLost(host, address),
            new HostChange.Forgotten(host)).forEach(announcer::hostChanged);

        assertTold(Arrays.stream(Change.values()).map(change -> FabricModels.hostChange(host, change)).toArray());
    }

    private void assertTold(final Object... notifications) {
        assertEquals(List.of(notifications), told);
    }

    /** All switches that have a port. */
    private static FabricSnapshot fabric(final List<Port> ports, final Link... links) {
        return new FabricSnapshot(0, ports.stream().map(port -> port.id().switchId()).collect(Collectors.toSet()),
            ports(ports), List.of(links), List.of());
    }

    private static Map<PortId, Port> ports(final List<Port> ports) {
        return ports.stream().collect(Collectors.toMap(Port::id, Function.identity()));
    }

    private static Port port(final SwitchId switchId, final boolean up) {
        return new Port(new PortId(switchId, 1), switchId + "-eth1", up, Bandwidth.ofMegabits(10), Bandwidth.ZERO,
            Bandwidth.ZERO);
    }

    private static Link link(final Bandwidth load) {
        return new Link(NEAR.id(), FAR.id(), Bandwidth.ofMegabits(10), load);
    }
}
