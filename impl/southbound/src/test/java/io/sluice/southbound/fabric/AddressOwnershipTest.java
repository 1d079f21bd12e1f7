// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.hosts.FabricAddress;
import io.sluice.southbound.hosts.HostChange;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.testlib.SimulatedTime;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stations that have addresses, answer when they are asked, move and lie; the desk must know who has what. */
class AddressOwnershipTest {
    private static final SwitchId S1 = new SwitchId("openflow:1");
    private static final SwitchId S2 = new SwitchId("openflow:2");
    private static final List<PortId> PORTS = List.of(new PortId(S1, 1), new PortId(S1, 2), new PortId(S2, 1),
        new PortId(S2, 2));
    private static final InetAddress FLOATING = ip("10.0.0.100");
    private static final InetAddress FLOATING6 = ip("fd00::100");
    private static final InetAddress ALL_NODES = ip("ff02::1");
    private static final Duration ANSWER = Duration.ofMillis(5);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final SimulatedTime time = new SimulatedTime();
    private final FabricView view = new FabricView(time);
    private final List<HostChange> changes = new ArrayList<>();
    /** How often each port was asked for the floating address. */
    private final Map<PortId, Integer> asked = new HashMap<>();
    private final List<Station> stations = new ArrayList<>();
    private final Set<SwitchId> deaf = new HashSet<>();
    private final PacketDesk desk = new PacketDesk(view, new PacketWire() {
        @Override
        public void send(final PortId port, final byte[] frame) {
            ask(port, Frames.parse(frame));
        }

        @Override
        public void resubmit(final PortId ingress, final byte[] frame) {
            throw new AssertionError("nothing is placed here");
        }
    }, time, time::after);

    /** A server with addresses, at a port. */
    private static final class Station {
        private final MacAddress mac;
        private final Set<InetAddress> addresses = new HashSet<>();
        private PortId port;
        private boolean silent;

        Station(final int number, final PortId port) {
            mac = new MacAddress(0x0a_00_00_00_00_00L + number);
            this.port = port;
            addresses.add(ip("10.0.0." + number));
        }

        InetAddress own() {
            return addresses.stream().filter(address -> !address.equals(FLOATING) && !address.equals(FLOATING6))
                .findFirst().orElseThrow();
        }
    }

    @BeforeEach
    void aStationAtEachPort() {
        view.subscribe(desk::update);
        desk.onHostChange(changes::add);
        List.of(S1, S2).forEach(view::attached);
        PORTS.forEach(port -> setPort(port, true));
        time.advance(Duration.ofNanos(EdgePorts.QUIET_NS));
        for (int number = 1; number <= PORTS.size(); number++) {
            stations.add(new Station(number, PORTS.get(number - 1)));
        }
        stations.forEach(station -> announce(station, station.own()));
        tick();
        seconds(3);
        give(stations.get(0), FLOATING);
        seconds(3);
        changes.clear();
        asked.clear();
    }

    @Test
    void anAddressGoesToAnotherStationOnceItsOwnerHasNotAnsweredThreeQuestions() {
        move(FLOATING, stations.get(0), stations.get(1));
        time.advance(Duration.ofMillis(99));
        assertOwner(stations.get(0));
        assertEquals(Map.of(PORTS.get(0), 3), asked);
        time.advance(Duration.ofMillis(1));
        assertOwner(stations.get(1));
        seconds(1);
        move(FLOATING, stations.get(1), stations.get(0));
        time.advance(Duration.ofMillis(100));
        assertOwner(stations.get(0));
    }

    @Test
    void ofSeveralClaimantsTheOneThatAnswersIsFound() {
        move(FLOATING, stations.get(0), stations.get(1));
        time.advance(Duration.ofMillis(40));
        announce(stations.get(2), FLOATING);
        seconds(2);
        assertOwner(stations.get(1));
    }

    @Test
    void anOwnerThatAnswersKeepsItsAddressAndTheConflictIsReported() {
        final var liar = stations.get(2);
        announce(liar, FLOATING);
        time.advance(ANSWER);
        assertOwner(stations.get(0));
        final var conflict = new HostChange.Contested(desk.hosts().getFirst(), FLOATING, liar.mac, liar.port);
        assertEquals(List.of(conflict), changes);
        assertEquals(1, desk.ignored().contested());
        announce(liar, FLOATING);
        seconds(30);
        assertEquals(List.of(conflict, conflict), changes, "checked once more after a second");
        assertOwner(stations.get(0));
    }

    @Test
    void anOwnerThatAnswersOnceAndThenGivesTheAddressUpLosesIt() {
        announce(stations.get(1), FLOATING);
        time.advance(ANSWER);
        stations.get(0).addresses.remove(FLOATING);
        stations.get(1).addresses.add(FLOATING);
        time.advance(Duration.ofMillis(1101));
        assertOwner(stations.get(1));
    }

    @Test
    void neighbourDiscoveryIsCheckedAsArpIs() {
        give(stations.get(0), FLOATING6);
        seconds(2);
        final var liar = stations.get(2);
        announce(liar, FLOATING6);
        seconds(3);
        assertEquals(stations.get(0).mac, owner(FLOATING6));
        move(FLOATING6, stations.get(0), stations.get(3));
        time.advance(Duration.ofMillis(100));
        assertEquals(stations.get(3).mac, owner(FLOATING6));
    }

    @Test
    void anAddressThatGoesThereAndBackStaysReached() {
        for (int milliseconds = 10; milliseconds <= 500; milliseconds += 35) {
            move(FLOATING, stations.get(0), stations.get(1));
            time.advance(Duration.ofMillis(milliseconds));
            move(FLOATING, stations.get(1), stations.get(0));
            seconds(3);
            assertOwner(stations.get(0));
        }
    }

    @Test
    void aForgedEthernetAddressMovesNobody() {
        final var victim = stations.get(0);
        final var frame = Frames.arpRequest(victim.mac, victim.own(), victim.own());
        desk.packet(PORTS.get(3), frame);
        seconds(2);
        assertEquals(PORTS.get(0), place(victim));
        victim.port = PORTS.get(3);
        desk.packet(PORTS.get(3), frame);
        time.advance(Duration.ofMillis(100));
        assertEquals(PORTS.get(3), place(victim));
    }

    @Test
    void aPauseOfTheControllerCostsNobodyItsAddress() {
        desk.packet(stations.get(2).port, Frames.arpRequest(stations.get(2).mac, FLOATING, FLOATING));
        stations.get(0).silent = true;
        time.advance(Duration.ofMillis(70));
        stations.get(0).silent = false;
        time.pause(Duration.ofMillis(400));
        seconds(2);
        assertOwner(stations.get(0));
    }

    @Test
    void whatMovedSilentlyWhileItsSwitchHadNoControllerIsFound() {
        detach(S1);
        stations.get(0).addresses.remove(FLOATING);
        stations.get(1).addresses.add(FLOATING);
        time.advance(Duration.ofMillis(200));
        attach(S1);
        seconds(3);
        assertOwner(stations.get(1));
    }

    @Test
    void whatMovedSilentlyToASwitchThatHadNoControllerIsFound() {
        detach(S2);
        stations.get(0).addresses.remove(FLOATING);
        stations.get(2).addresses.add(FLOATING);
        seconds(4);
        assertOwner(stations.get(0));
        attach(S2);
        seconds(5);
        assertOwner(stations.get(2));
    }

    @Test
    void anAddressTakenWhileItsOwnerCouldNotBeAskedGoesBack() {
        detach(S1);
        final var liar = stations.get(2);
        announce(liar, FLOATING);
        seconds(1);
        assertOwner(liar);
        attach(S1);
        seconds(5);
        assertOwner(stations.get(0));
    }

    @Test
    void theSearchForASilentOwnerGrowsSeldomAndRests() {
        stations.get(0).silent = true;
        attach(S1);
        seconds(3);
        final int soon = asked.get(PORTS.get(3));
        assertTrue(soon >= 2, () -> "asked " + soon + " times");
        seconds(300);
        final int later = asked.get(PORTS.get(3));
        assertTrue(later <= 7, () -> "asked " + later + " times");
        assertOwner(stations.get(0));
    }

    @Test
    void whateverHappensTheOwnerIsKnownTenSecondsLater() {
        for (int round = 0; round < 1000; round++) {
            final int events = 1 + random.nextInt(4);
            for (int event = 0; event < events; event++) {
                happen();
                time.advance(Duration.ofMillis(random.nextInt(1500)));
            }
            PORTS.forEach(port -> setPort(port, true));
            List.copyOf(deaf).forEach(this::attach);
            seconds(10);
            for (var station : stations) {
                assertEquals(station.port, place(station), () -> "seed " + seed + ": place of " + station.mac);
                station.addresses.forEach(address -> assertEquals(station.mac, owner(address),
                    () -> "seed " + seed + ": owner of " + address));
            }
        }
    }

    private void happen() {
        switch (random.nextInt(6)) {
            case 0, 1 -> move(FLOATING, holder(), any());
            case 2 -> {
                final var liar = any();
                announce(liar, any().own());
                announce(liar, FLOATING);
            }
            case 3 -> {
                final var victim = any();
                hear(PORTS.get(random.nextInt(PORTS.size())),
                    Frames.arpRequest(victim.mac, victim.own(), victim.own()));
            }
            case 4 -> {
                final var port = PORTS.get(random.nextInt(PORTS.size()));
                setPort(port, false);
                time.advance(Duration.ofMillis(random.nextInt(3000)));
                setPort(port, true);
            }
            default -> {
                final var id = random.nextBoolean() ? S1 : S2;
                detach(id);
                time.advance(Duration.ofMillis(random.nextInt(2500)));
                if (random.nextBoolean()) {
                    move(FLOATING, holder(), any());
                }
                time.advance(Duration.ofMillis(random.nextInt(2500)));
                attach(id);
            }
        }
    }

    private Station any() {
        return stations.get(random.nextInt(stations.size()));
    }

    private Station holder() {
        return stations.stream().filter(station -> station.addresses.contains(FLOATING)).findFirst().orElseThrow();
    }

    private void move(final InetAddress address, final Station from, final Station to) {
        from.addresses.remove(address);
        give(to, address);
    }

    private void give(final Station station, final InetAddress address) {
        station.addresses.add(address);
        announce(station, address);
    }

    private void announce(final Station station, final InetAddress address) {
        hear(station.port, address.getAddress().length == 4
            ? Frames.arpReply(new Ethernet(MacAddress.BROADCAST, station.mac, 0), address, address)
            : Frames.neighbourAdvertisement(new Ethernet(Frames.groupMac(ALL_NODES), station.mac, 0), address,
                ALL_NODES));
    }

    private void hear(final PortId port, final byte[] frame) {
        final var status = view.snapshot().ports().get(port);
        if (!deaf.contains(port.switchId()) && status != null && status.up()) {
            desk.packet(port, frame);
        }
    }

    private static byte[] answer(final Station station, final InetAddress address) {
        final var header = new Ethernet(FabricAddress.MAC, station.mac, 0);
        return address.getAddress().length == 4 ? Frames.arpReply(header, address, ip("0.0.0.0"))
            : Frames.neighbourAdvertisement(header, address, FabricAddress.LINK_LOCAL);
    }

    /** A question goes out of a port: who has the address there answers. */
    private void ask(final PortId port, final Packet packet) {
        final var target = switch (packet) {
            case Packet.Arp arp when arp.request() -> arp.targetIp();
            case Packet.NeighbourSolicitation it -> it.target();
            default -> FabricAddress.LINK_LOCAL;
        };
        if (target.equals(FLOATING)) {
            asked.merge(port, 1, Integer::sum);
        }
        stations.stream().filter(station -> station.port.equals(port) && station.addresses.contains(target)
            && !station.silent).forEach(station -> time.after(ANSWER.toNanos(), () ->
                hear(port, answer(station, target))));
    }

    private void detach(final SwitchId switchId) {
        deaf.add(switchId);
        view.detached(switchId);
        time.run();
    }

    private void attach(final SwitchId switchId) {
        deaf.remove(switchId);
        view.attached(switchId);
        time.execute(() -> desk.attached(switchId));
        time.run();
    }

    private void setPort(final PortId port, final boolean up) {
        view.portSeen(new PortStatus(port, port.toString(), up, Bandwidth.ZERO));
        time.run();
    }

    private void tick() {
        desk.seek();
        time.after(1_000_000_000L, this::tick);
    }

    private void seconds(final int seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    private void assertOwner(final Station station) {
        assertEquals(station.mac, owner(FLOATING));
    }

    private MacAddress owner(final InetAddress address) {
        return desk.hosts().stream().filter(host -> host.addresses().contains(address)).findFirst().orElseThrow().mac();
    }

    private PortId place(final Station station) {
        return desk.hosts().stream().filter(host -> host.mac().equals(station.mac)).findFirst().orElseThrow()
            .attachment();
    }

    private static InetAddress ip(final String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
