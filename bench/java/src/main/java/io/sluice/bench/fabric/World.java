// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.PortId;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The plain model: which station has which address, and which services have which servers. */
final class World {
    private final List<Station> stations = new ArrayList<>();
    private final Map<InetAddress, Station> owners = new LinkedHashMap<>();
    private final List<InetAddress> floating;
    private final Map<String, Service> services = new TreeMap<>();
    private Optional<InetAddress> abandoned = Optional.empty();

    /** A service at a virtual address, and its servers in the order in which they came. */
    record Service(InetAddress address, List<Station> servers) {
        Service {
            servers = List.copyOf(servers);
        }
    }

    /** Begins with the stations of {@code whole} and {@code floating} addresses of each family. */
    World(final FabricSnapshot whole, final int floating) {
        for (var host : whole.hosts()) {
            stations.add(new Station(stations.size(), host.mac(), host.attachment(),
                List.of(Addresses.ipv4(host), Addresses.ipv6(host))));
        }
        stations.forEach(station -> station.own().forEach(address -> owners.put(address, station)));
        final var moving = new ArrayList<InetAddress>();
        for (int number = 1; number <= floating; number++) {
            moving.add(Addresses.ip("10.1.0." + number));
            moving.add(Addresses.ip("fd01::" + number));
        }
        this.floating = List.copyOf(moving);
        for (int number = 0; number < moving.size(); number++) {
            owners.put(moving.get(number), stations.get(number % stations.size()));
        }
    }

    List<Station> stations() {
        return List.copyOf(stations);
    }

    /** Addresses that move. */
    List<InetAddress> floating() {
        return floating;
    }

    /** All addresses that stations have. */
    List<InetAddress> addresses() {
        return List.copyOf(owners.keySet());
    }

    Station owner(final InetAddress address) {
        return owners.get(address);
    }

    boolean has(final Station station, final InetAddress address) {
        return station.equals(owners.get(address));
    }

    void give(final InetAddress address, final Station to) {
        owners.put(address, to);
    }

    /** Services by name. */
    Map<String, Service> services() {
        return new TreeMap<>(services);
    }

    void serve(final String name, final Service service) {
        services.put(name, service);
    }

    void abandon(final String name) {
        abandoned = Optional.of(services.remove(name).address());
    }

    /** The virtual address of the service that ended last. */
    Optional<InetAddress> abandoned() {
        return abandoned;
    }

    /** Returns the stations with their addresses. */
    List<Host> hosts() {
        final var addresses = new HashMap<Station, Set<InetAddress>>();
        owners.forEach((address, owner) ->
            addresses.computeIfAbsent(owner, first -> new LinkedHashSet<>()).add(address));
        return stations.stream().map(station ->
            new Host(station.mac(), addresses.get(station), station.port())).toList();
    }

    /** All virtual addresses and the stations that may answer for them; those of {@link #abandoned} are none. */
    Map<InetAddress, List<Station>> virtual() {
        final var virtual = new LinkedHashMap<InetAddress, List<Station>>();
        abandoned.ifPresent(address -> virtual.put(address, List.of()));
        services.values().forEach(service -> virtual.put(service.address(), service.servers()));
        return virtual;
    }

    /** The station at a port. */
    Stream<Station> at(final PortId port) {
        return stations.stream().filter(station -> station.port().equals(port));
    }
}
