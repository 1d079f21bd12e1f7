// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The relations between leaves that {@code sluice-multipath} states by {@code must} and {@code leafref}: the datastore
 * takes a configuration that breaks them, so that they are looked at here.
 */
public final class ConfigChecks {
    /**
     * A configuration without its faulty items.
     *
     * @param faults what is wrong and what would mend it, by item: {@code service NAME} or {@code transfer NAME}
     */
    public record Checked(MultipathConfig sound, Map<String, String> faults) {
        public Checked {
            faults = Map.copyOf(faults);
        }

        /** What is wrong with a service; nothing if it is sound, or not there at all. */
        public Optional<String> ofService(final String name) {
            return Optional.ofNullable(faults.get(service(name)));
        }

        /** What is wrong with a transfer; nothing if it is sound, or not there at all. */
        public Optional<String> ofTransfer(final String name) {
            return Optional.ofNullable(faults.get(transfer(name)));
        }
    }

    /** Packets to or from a port of an address. */
    private record Spot(int protocol, InetAddress address, int port) {
        @Override
        public String toString() {
            return "port " + port + " of " + address.getHostAddress();
        }
    }

    private ConfigChecks() {
        // functions only
    }

    /**
     * Leaves out the services that break a rule, and the transfers that break one or name a service that is out.
     *
     * @param unreadable what is wrong with items that are not in {@code config}, since they can't be read
     */
    public static Checked check(final MultipathConfig config, final Map<String, String> unreadable) {
        final var faults = new HashMap<>(unreadable);
        final var taken = new HashMap<Spot, String>();
        config.services().values().stream().sorted(Comparator.comparing(Service::name)).forEach(service ->
            fault(service).or(() -> overlap(service, taken)).ifPresent(reason ->
                faults.put(service(service.name()), reason)));
        final var services = config.services().values().stream()
            .filter(service -> !faults.containsKey(service(service.name())))
            .collect(Collectors.toMap(Service::name, Function.identity()));
        config.transfers().values().forEach(transfer -> fault(transfer, services.get(transfer.service()))
            .ifPresent(reason -> faults.put(transfer(transfer.name()), reason)));
        final var transfers = config.transfers().values().stream()
            .filter(transfer -> !faults.containsKey(transfer(transfer.name())))
            .collect(Collectors.toMap(Transfer::name, Function.identity()));
        return new Checked(new MultipathConfig(config.strategy(), config.refreshMs(), config.placer(),
            config.idleMs(), services, transfers), faults);
    }

    /** What is wrong with a transfer of {@code service}, which is null if there is none of that name. */
    public static Optional<String> fault(final Transfer transfer, final Service service) {
        if (service == null) {
            return Optional.of("there is no sound service " + transfer.service() + "; add or mend it");
        }
        return transfer.pieces().stream().filter(piece -> piece > service.pieces()).findFirst().map(piece ->
            "piece " + piece + " is beyond the pieces of service " + service.name() + ", " + service.pieces()
                + "; ask for another, or raise pieces");
    }

    private static Optional<String> fault(final Service service) {
        if (service.virtualPort().isPresent() && service.virtualAddress().isEmpty()) {
            return Optional.of("virtual-port needs virtual-address; set it, or remove the port");
        }
        if (service.slots().isPresent() && service.virtualAddress().isEmpty()) {
            return Optional.of("slots needs virtual-address; set it, or remove slots");
        }
        return service.servers().stream().flatMap(server -> server.ports().stream()
            .filter(port -> port.piece() > service.pieces())
            .map(port -> "piece is beyond the service's pieces: port " + port.number() + " of server "
                + server.name() + " has piece " + port.piece() + " of " + service.pieces()
                + "; change the piece, or raise pieces")).findFirst();
    }

    /** Says which service has packets that those of {@code service} look like; else it has them now. */
    private static Optional<String> overlap(final Service service, final Map<Spot, String> taken) {
        final var ports = SlotTable.ports(service);
        final var asked = service.virtualAddress().stream().flatMap(address -> ports.stream()
            .map(port -> new Spot(service.protocol(), address, port))).toList();
        final var slots = service.slots().isEmpty() ? List.<Spot>of() : service.servers().stream()
            .flatMap(server -> server.ports().stream().filter(port -> ports.contains(port.number()))
                .map(port -> new Spot(service.protocol(), server.address(), port.number()))).toList();
        final var other = asked.stream().filter(taken::containsKey).findFirst().map(spot ->
            "service " + taken.get(spot) + " is asked for at " + spot + " too; use another address or port")
            .or(() -> slots.stream().filter(taken::containsKey).findFirst().map(spot ->
                "service " + taken.get(spot) + " has slots at " + spot
                    + " too; take the slots from one of them, or use another port"));
        if (other.isEmpty()) {
            Stream.concat(asked.stream(), slots.stream()).forEach(spot -> taken.put(spot, service.name()));
        }
        return other;
    }

    /** How faults name a service. */
    public static String service(final String name) {
        return "service " + name;
    }

    /** How faults name a transfer. */
    public static String transfer(final String name) {
        return "transfer " + name;
    }
}
