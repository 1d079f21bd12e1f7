// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.MaskedIp;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.slots.ReplyCover;
import io.sluice.multipath.slots.SlotMask;
import io.sluice.multipath.steering.FlowKey;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The slots of one port of a service, as they are placed. */
final class SlotTable {
    private final Service service;
    private final int port;
    private final SlotMask mask;
    private final Map<SwitchId, Map<Integer, FlowState>> placed = new TreeMap<>();

    /** Takes those of {@code flows} that are slots of {@code port}. */
    SlotTable(final Service service, final int port, final Collection<FlowState> flows) {
        this.service = service;
        this.port = port;
        mask = mask(service);
        final var bits = mask.clients(0).mask();
        flows.stream().filter(flow -> flow.record().key().clients().mask().equals(bits)
            && flow.record().key().equals(key(slotOf(flow)))).forEach(flow ->
            placed.computeIfAbsent(flow.record().clientSide(), edge -> new TreeMap<>()).put(slotOf(flow), flow));
    }

    /** The ports of a service that have slots: the virtual one, or all of its servers'. */
    static Set<Integer> ports(final Service service) {
        final var ports = new TreeSet<Integer>();
        service.servers().forEach(server -> server.ports().stream().map(MultipathConfig.ServerPort::number)
            .filter(number -> service.virtualPort().isEmpty() || service.virtualPort().getAsInt() == number)
            .forEach(ports::add));
        return ports;
    }

    static int slotOf(final FlowState flow) {
        return SlotMask.numberOf(flow.record().key().clients());
    }

    Service service() {
        return service;
    }

    int port() {
        return port;
    }

    int slots() {
        return mask.slots();
    }

    FlowKey key(final int slot) {
        return key(service, mask, slot, port);
    }

    /** The slot that a connection to a service belongs to. */
    static FlowKey key(final Service service, final Connection connection) {
        final var mask = mask(service);
        return key(service, mask, SlotMask.slotOf(connection.source(), mask.slots()), connection.destinationPort());
    }

    private static FlowKey key(final Service service, final SlotMask mask, final int slot, final int port) {
        return FlowKey.ofSlot(service.protocol(), mask.clients(slot), service.virtualAddress().orElseThrow(), port);
    }

    private static SlotMask mask(final Service service) {
        return new SlotMask(service.slots().getAsInt(),
            service.virtualAddress().orElseThrow() instanceof Inet6Address);
    }

    /** The switches that have slots. */
    Set<SwitchId> edges() {
        return placed.keySet();
    }

    Optional<FlowState> flow(final SwitchId edge, final int slot) {
        return Optional.ofNullable(placed.getOrDefault(edge, Map.of()).get(slot));
    }

    /** The flows of a slot at all switches. */
    List<FlowState> ofSlot(final int slot) {
        return placed.keySet().stream().flatMap(edge -> flow(edge, slot).stream()).toList();
    }

    /**
     * How replies to the clients of a slot find their switch. What is there stays if it is right for all clients; a
     * switch of which no client is known, soon after a start for instance, keeps its part.
     *
     * @param clients addresses that are known, and where
     */
    Map<SwitchId, List<MaskedIp>> replies(final int slot, final Map<InetAddress, SwitchId> clients) {
        final var present = new HashMap<SwitchId, List<MaskedIp>>();
        ofSlot(slot).forEach(flow -> present.put(flow.record().clientSide(), flow.record().replyTo()));
        final var members = new HashMap<InetAddress, SwitchId>();
        clients.forEach((client, edge) -> {
            if (SlotMask.slotOf(client, slots()) == slot) {
                members.put(client, edge);
            }
        });
        final var edges = Set.copyOf(clients.values());
        if (members.isEmpty() && present.isEmpty() && edges.size() == 1) {
            return Map.of(edges.iterator().next(), List.of(mask.clients(slot)));
        }
        if (ReplyCover.fits(present, members)) {
            return present;
        }
        present.forEach((edge, patterns) -> {
            if (!edges.contains(edge)) {
                patterns.forEach(pattern -> members.putIfAbsent(pattern.address(), edge));
            }
        });
        return ReplyCover.of(mask.clients(slot), members);
    }

    /** All slots. */
    IntStream numbers() {
        return IntStream.range(0, slots());
    }
}
