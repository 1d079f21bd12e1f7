// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.FabricView;
import io.sluice.southbound.fabric.PortStatus;
import io.sluice.testlib.HandLoop;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.NotificationService.Listener;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.topology.discovery.rev130819.LinkDiscovered;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.topology.discovery.rev130819.LinkDiscoveredBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceived;
import org.opendaylight.yang.gen.v1.urn.opendaylight.packet.service.rev130709.PacketReceivedBuilder;
import org.opendaylight.yangtools.concepts.Registration;

class LostLinksTest {
    private static final SwitchId ONE = new SwitchId("openflow:1");
    private static final SwitchId TWO = new SwitchId("openflow:2");
    private static final PortId NEAR = new PortId(ONE, 1);
    private static final PortId FAR = new PortId(TWO, 2);
    private static final NodeConnectorRef SOURCE = Names.connector(ONE, "1");
    private static final NodeConnectorRef DESTINATION = Names.connector(TWO, "2");
    private static final LinkDiscovered LINK =
        new LinkDiscoveredBuilder().setSource(SOURCE).setDestination(DESTINATION).build();
    private static final byte[] LLDP = {1};
    private static final byte[] OTHER = {2};

    private final FabricView view = new FabricView(Runnable::run);
    private final HandLoop later = new HandLoop();
    private final List<Object> told = new ArrayList<>();
    private Listener<PacketReceived> listener;

    @BeforeEach
    @SuppressWarnings("unchecked")
    void listen() {
        final var notifications = (NotificationService) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {NotificationService.class}, (proxy, method, arguments) -> {
                listener = (Listener<PacketReceived>) arguments[1];
                return (Registration) () -> listener = null;
            });
        final var publisher = (NotificationPublishService) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {NotificationPublishService.class}, (proxy, method, arguments) -> {
                told.add(arguments[0]);
                return null;
            });
        new LostLinks(notifications, publisher, later, view, frame -> Arrays.equals(frame, LLDP) ? SOURCE : null);
        port(NEAR, true);
        port(FAR, true);
    }

    @Test
    void discoveryIsGivenTheTimeToTellItself() {
        receive(LLDP);
        view.linkFound(NEAR, FAR);
        later.run();
        assertEquals(List.of(), told);
    }

    @Test
    void aLinkThatIsNotToldOfIsToldAgain() {
        receive(LLDP);
        later.run();
        assertEquals(List.of(LINK), told);
    }

    @Test
    void aLinkWhosePortWentDownMeanwhileIsNotToldOf() {
        receive(LLDP);
        port(NEAR, false);
        later.run();
        assertEquals(List.of(), told);
    }

    @Test
    void onASharedWireDiscoverySaysWhereALinkEnds() {
        view.linkFound(NEAR, new PortId(TWO, 9));
        receive(LLDP);
        later.run();
        assertEquals(List.of(), told);
    }

    @Test
    void otherPacketsSayNothingOfLinks() {
        receive(OTHER);
        later.run();
        assertEquals(List.of(), told);
    }

    private void port(final PortId id, final boolean up) {
        view.portSeen(new PortStatus(id, "", up, Bandwidth.ZERO));
    }

    private void receive(final byte[] frame) {
        listener.onNotification(new PacketReceivedBuilder().setIngress(DESTINATION).setPayload(frame).build());
    }
}
