// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.PacketWire;
import io.sluice.southbound.fabric.PortStatus;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.FakeSession;
import io.sluice.testlib.FakeNetwork;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.Packet;
import io.sluice.testlib.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Switches, cables and the switches' connections to the controller, which take some milliseconds in each direction. */
final class Plant implements PacketWire {
    private static final long MS = 1_000_000;
    private static final long LEAST_NS = MS / 2;
    private static final long MOST_NS = 4 * MS;
    /** The plugin's inventory follows after so long, at most. */
    private static final long INVENTORY_NS = 30 * MS;
    /** Until a switch that has connected has said what it can do, at most. */
    private static final long FEATURES_NS = 100 * MS;
    /** Discovery sends once a second, and when a port comes up. */
    private static final long DISCOVERY_NS = 1100 * MS;
    /** Time passes in such steps for meters. */
    private static final long METER_STEP_NS = MS;
    /** Changes that a switch still carries out of what was under way when its connection ended, at most. */
    private static final int LAST_CHANGES = 4;

    private final SimulatedTime time;
    private final Random random;
    private final FabricSnapshot whole;
    private final FakeNetwork network;
    private final Collection<FakeSwitch> switches;
    private final Map<SwitchId, Line> lines = new TreeMap<>();
    private final Map<PortId, Link> cables = new LinkedHashMap<>();
    private final Set<PortId> down = new TreeSet<>();
    private final List<Change> changes = new ArrayList<>();
    private Controller controller;
    private Ends ends;
    private long meteredNs;
    private long digest;

    /** What is at the ports that lead to no switch. */
    interface Ends {
        /** A frame of the controller came out of a port. */
        void received(PortId port, byte[] frame);

        /** A packet reached a host that takes it. */
        void delivered(Host host, Packet packet);
    }

    /** A switch's connection to the controller. */
    private final class Line {
        private final BusyLoop toSwitch = loop(LEAST_NS, MOST_NS);
        private final BusyLoop toController = loop(LEAST_NS, MOST_NS);
        private final BusyLoop inventory = loop(MS, INVENTORY_NS);
        private boolean connected;
        /** Counts connections: what was sent over an earlier one is lost. */
        private int number;
        private Optional<FakeSession> session = Optional.empty();

        /** Carries a message, which is lost if the connection ends before it arrives. */
        void carry(final BusyLoop direction, final Runnable message) {
            final int sent = number;
            if (connected) {
                direction.execute(() -> {
                    if (connected && number == sent) {
                        message.run();
                    }
                });
            }
        }
    }

    Plant(final SimulatedTime time, final Random random, final FabricSnapshot whole) {
        this.time = time;
        this.random = random;
        this.whole = whole;
        network = new FakeNetwork(whole);
        switches = network.switches();
        whole.links().forEach(link -> cables.put(link.source(), link));
        whole.switches().stream().sorted().forEach(switchId -> lines.put(switchId, new Line()));
    }

    /** Connects all switches to {@code started}. */
    void start(final Controller started, final Ends hosts) {
        controller = started;
        ends = hosts;
        lines.keySet().forEach(this::connect);
    }

    /** Puts stations with other addresses in the place of those that were there. */
    void populate(final List<Host> hosts) {
        network.populate(hosts);
    }

    /** Returns a number that differs if any frame to or from the controller did, or came at another time. */
    long digest() {
        return digest;
    }

    boolean isUp(final PortId port) {
        return !down.contains(port);
    }

    /** Lets a packet come in by a port; {@code frame} makes what the controller sees of it. */
    void emit(final PortId ingress, final Packet packet, final Supplier<byte[]> frame) {
        elapse();
        final var journey = network.inject(ingress, packet);
        if (journey.toController().stream().anyMatch(report -> report.from().equals(ingress.switchId()))) {
            final var line = lines.get(ingress.switchId());
            final var seen = frame.get();
            line.carry(line.toController, () -> {
                note(ingress, seen);
                controller.packet(ingress, seen);
            });
        }
        journey.deliveries().forEach(delivery -> ends.delivered(delivery.host(), delivery.packet()));
    }

    @Override
    public void send(final PortId port, final byte[] frame) {
        final var line = lines.get(port.switchId());
        line.carry(line.toSwitch, () -> {
            note(port, frame);
            if (isUp(port)) {
                ends.received(port, frame);
            }
        });
    }

    @Override
    public void resubmit(final PortId ingress, final byte[] frame) {
        final var line = lines.get(ingress.switchId());
        line.carry(line.toSwitch, () -> emit(ingress, Translation.packet(frame), () -> frame));
    }

    /** Ends a switch's connection; the inventory does not notice if it is {@code unseen}. */
    void disconnect(final SwitchId switchId, final boolean unseen) {
        final var line = lines.get(switchId);
        line.connected = false;
        line.session.ifPresent(session -> session.dieAfter(random.nextInt(LAST_CHANGES)));
        line.session = Optional.empty();
        line.toController.execute(() -> controller.detached(switchId));
        if (!unseen) {
            line.inventory.execute(() -> controller.view().detached(switchId));
            ports(switchId).forEach(port -> line.inventory.execute(() -> controller.view().portGone(port)));
            ports(switchId).stream().filter(cables::containsKey).forEach(port ->
                line.inventory.execute(() -> lose(cables.get(port))));
        }
        changes.clear();
    }

    /** Connects a switch again. */
    void connect(final SwitchId switchId) {
        final var line = lines.get(switchId);
        line.connected = true;
        final int number = ++line.number;
        line.toController.execute(() -> controller.connecting(switchId));
        line.inventory.execute(() -> controller.view().attached(switchId));
        ports(switchId).forEach(port -> line.inventory.execute(() -> report(port)));
        ports(switchId).stream().filter(cables::containsKey).forEach(port -> discover(cables.get(port)));
        time.after(MOST_NS + random.nextLong(FEATURES_NS), () -> line.toController.execute(() -> {
            if (line.connected && line.number == number) {
                final var session = new FakeSession(network.at(switchId), line.toSwitch, changes);
                line.session = Optional.of(session);
                controller.attached(switchId, session);
            }
        }));
    }

    /** Changes the carrier of a port. */
    void setCarrier(final PortId port, final boolean up) {
        network.at(port.switchId()).setPort(port.number(), up);
        if (up) {
            down.remove(port);
        } else {
            down.add(port);
        }
        final var line = lines.get(port.switchId());
        final var cable = cables.get(port);
        line.carry(line.inventory, () -> {
            report(port);
            if (!up && cable != null) {
                lose(cable);
            }
        });
        if (up && cable != null) {
            discover(cable);
        }
    }

    private void note(final PortId port, final byte[] frame) {
        digest = 31 * (31 * (31 * digest + time.getAsLong()) + port.toString().hashCode()) + Arrays.hashCode(frame);
    }

    /** Lets time pass for the switches' meters. */
    private void elapse() {
        final long passedNs = time.getAsLong() - meteredNs;
        if (passedNs >= METER_STEP_NS) {
            meteredNs += passedNs;
            switches.forEach(each -> each.elapse(Duration.ofNanos(passedNs)));
        }
    }

    private void report(final PortId port) {
        controller.view().portSeen(new PortStatus(port, whole.ports().get(port).name(), isUp(port),
            whole.ports().get(port).capacity()));
    }

    private void lose(final Link cable) {
        controller.view().linkLost(cable.source());
        controller.view().linkLost(cable.destination());
    }

    /** Lets discovery find both directions of a cable, each if a packet can cross it then. */
    private void discover(final Link cable) {
        discover(cable.source(), cable.destination());
        discover(cable.destination(), cable.source());
    }

    private void discover(final PortId source, final PortId destination) {
        time.after(INVENTORY_NS + random.nextLong(DISCOVERY_NS), () -> {
            final var from = lines.get(source.switchId());
            final var to = lines.get(destination.switchId());
            if (from.connected && to.connected && isUp(source) && isUp(destination)) {
                to.carry(to.inventory, () -> controller.view().linkFound(source, destination));
            }
        });
    }

    private List<PortId> ports(final SwitchId switchId) {
        return whole.ports().keySet().stream().filter(port -> port.switchId().equals(switchId)).sorted().toList();
    }

    private BusyLoop loop(final long leastNs, final long mostNs) {
        return new BusyLoop(time, new Random(random.nextLong()), leastNs, mostNs);
    }
}
