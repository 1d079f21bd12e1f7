// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Connection;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet.Arp;
import io.sluice.southbound.packet.Packet.NeighbourAdvertisement;
import io.sluice.southbound.packet.Packet.NeighbourSolicitation;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.Packet;
import io.sluice.testlib.SimulatedTime;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** The hosts: they answer questions for their addresses, echo data and announce what they have taken. */
final class Stations implements Plant.Ends {
    /** An answer takes so long, at most. */
    private static final long ANSWER_NS = 3_000_000;
    private static final InetAddress ALL_NODES = Addresses.ip("ff02::1");

    private final SimulatedTime time;
    private final Random random;
    private final World world;
    private final Plant plant;
    private final Map<MacAddress, Station> stations = new LinkedHashMap<>();
    private Listener listener;

    /** Hears what stations learn and are answered. */
    interface Listener {
        /** A station was told where an address is. */
        void resolved(Station station, InetAddress address, MacAddress mac);

        /** A request reached a station, which answers. */
        void requested(Station server, Connection connection);

        /** A station got the answer to a request. */
        void answered(Station client, Connection request);
    }

    Stations(final SimulatedTime time, final Random random, final World world, final Plant plant) {
        this.time = time;
        this.random = random;
        this.world = world;
        this.plant = plant;
        world.stations().forEach(station -> stations.put(station.mac(), station));
        plant.populate(world.hosts());
    }

    void report(final Listener to) {
        listener = to;
    }

    /** Gives an address to another station, which says nothing yet. */
    void give(final InetAddress address, final Station to) {
        world.give(address, to);
        plant.populate(world.hosts());
    }

    /** Lets a station say to all that it has an address. */
    void announce(final Station station, final InetAddress address) {
        claim(station, address, station.mac());
    }

    /** Lets a station say that {@code address} is at {@code mac}. */
    void claim(final Station station, final InetAddress address, final MacAddress mac) {
        final byte[] frame;
        if (!(address instanceof Inet4Address)) {
            frame = Frames.neighbourAdvertisement(new Ethernet(Frames.groupMac(ALL_NODES), mac, Ethernet.UNTAGGED),
                address, ALL_NODES);
        } else if (random.nextBoolean()) {
            frame = Frames.arpRequest(mac, address, address);
        } else {
            frame = Frames.arpReply(new Ethernet(MacAddress.BROADCAST, mac, Ethernet.UNTAGGED), address, address);
        }
        send(station, frame);
    }

    /** Lets a station ask where an address is. */
    void ask(final Station station, final InetAddress target) {
        final var own = station.like(target);
        send(station, target instanceof Inet4Address ? Frames.arpRequest(station.mac(), own, target)
            : Frames.neighbourSolicitation(station.mac(), own, target));
    }

    /** Lets a station send data. */
    void send(final Station station, final MacAddress to, final Connection connection) {
        plant.emit(station.port(), Packet.of(station.mac(), to, connection),
            () -> Frames.ip(station.mac(), to, connection));
    }

    @Override
    public void received(final PortId port, final byte[] frame) {
        world.at(port).forEach(station -> {
            switch (Frames.parse(frame)) {
                case Arp arp when arp.request() -> answer(station, arp.targetIp(), () ->
                    Frames.arpReply(new Ethernet(arp.senderMac(), station.mac(), Ethernet.UNTAGGED), arp.targetIp(),
                        arp.senderIp()));
                case Arp arp when arp.ethernet().destination().equals(station.mac()) ->
                    listener.resolved(station, arp.senderIp(), arp.senderMac());
                case NeighbourSolicitation it -> answer(station, it.target(), () ->
                    Frames.neighbourAdvertisement(new Ethernet(it.ethernet().source(), station.mac(),
                        Ethernet.UNTAGGED), it.target(), it.source()));
                case NeighbourAdvertisement it when it.ethernet().destination().equals(station.mac()) ->
                    listener.resolved(station, it.target(), it.targetMac().orElse(it.ethernet().source()));
                default -> { }
            }
        });
    }

    @Override
    public void delivered(final Host host, final Packet packet) {
        final var station = stations.get(host.mac());
        packet.answer().ifPresent(said -> listener.resolved(station, said.sender(), said.senderMac()));
        packet.question().ifPresent(question -> {
            listener.resolved(station, question.sender(), question.senderMac());
            answer(station, question.target(), () -> Frames.neighbourAdvertisement(
                new Ethernet(question.senderMac(), station.mac(), Ethernet.UNTAGGED), question.target(),
                question.sender()));
        });
        if (packet.question().isEmpty()) {
            packet.connection().filter(Connection::hasPorts).ifPresent(data -> data(station, packet, data));
        }
    }

    private void data(final Station station, final Packet packet, final Connection data) {
        if (Exchanges.isRequest(data)) {
            listener.requested(station, data);
            send(station, packet.ethernetSource(), data.reversed());
        } else {
            listener.answered(station, data.reversed());
        }
    }

    private void answer(final Station station, final InetAddress target,
            final Supplier<byte[]> answer) {
        time.after(1 + random.nextLong(ANSWER_NS), () -> {
            if (world.has(station, target)) {
                send(station, answer.get());
            }
        });
    }

    private void send(final Station station, final byte[] frame) {
        plant.emit(station.port(), Translation.packet(frame), () -> frame);
    }
}
