// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.FlowView;
import io.sluice.multipath.placement.World;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRecord;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The placed flows, and the world as the next placement has to see it. */
final class FlowBook {
    private final Map<Long, FlowState> flows = new TreeMap<>();
    private final Map<FlowKey, Long> byKey = new HashMap<>();
    private final Map<SlotPlace, Long> slots = new HashMap<>();
    private final Map<String, TreeSet<Long>> byTransfer = new HashMap<>();
    /** How many flows, slots apart, each server has. */
    private final Map<Seat, Integer> seats = new HashMap<>();
    /** How many flows to virtual addresses, slots among them, each server has. */
    private final Map<InetAddress, Integer> virtual = new HashMap<>();
    private final LinkHistory links;
    /** Flows that cross a link that was there and is gone: they carry nothing. */
    private final Set<Long> broken = new HashSet<>();
    private long nextId = 1;
    /** The world as it was asked for last, unless it has to be computed anew, and the flows that were changed since. */
    private Optional<World> world = Optional.empty();
    private final Set<Long> changed = new HashSet<>();

    /** What is a slot's own: the same clients have one at each switch that they are behind. */
    private record SlotPlace(FlowKey key, SwitchId edge) {
        static SlotPlace of(final FlowRecord flow) {
            return new SlotPlace(flow.key(), flow.clientSide());
        }
    }

    /** A server of a service. */
    private record Seat(String service, String server) { }

    FlowBook(final LinkHistory links) {
        this.links = links;
    }

    /** Returns a number that no flow had since the records began. */
    long nextId() {
        return nextId++;
    }

    void put(final FlowState flow) {
        final var before = flows.put(flow.record().id(), flow);
        if (before != null) {
            sit(before, -1);
        }
        sit(flow, 1);
        if (flow.record().key().isSlot()) {
            slots.put(SlotPlace.of(flow.record()), flow.record().id());
        } else {
            byKey.put(flow.record().key(), flow.record().id());
        }
        flow.record().purpose().transfer().ifPresent(name ->
            byTransfer.computeIfAbsent(name, added -> new TreeSet<>()).add(flow.record().id()));
        look(flow);
        nextId = Math.max(nextId, flow.record().id() + 1);
        final var usage = Optional.ofNullable(before).map(FlowState::usage);
        if (flow.record().key().isSlot()
                || !usage.map(flow.usage()::equals).orElse(flow.usage().rate().equals(Bandwidth.ZERO))) {
            world = Optional.empty();
        } else if (before == null || !view(before).equals(view(flow))) {
            changed.add(flow.record().id());
        }
    }

    private void sit(final FlowState flow, final int change) {
        seat(flow).ifPresent(seat -> count(seats, seat, change));
        if (flow.record().isVirtual()) {
            count(virtual, flow.record().server(), change);
        }
    }

    private static <K> void count(final Map<K, Integer> counts, final K what, final int change) {
        counts.merge(what, change, (one, other) -> one + other == 0 ? null : one + other);
    }

    /** Where a flow takes room, if it is no slot and belongs to a service. */
    private static Optional<Seat> seat(final FlowState flow) {
        final var purpose = flow.record().purpose();
        return flow.record().key().isSlot() ? Optional.empty() : purpose.service().flatMap(service ->
            purpose.server().map(server -> new Seat(service, server)));
    }

    Optional<FlowState> remove(final long id) {
        final var flow = Optional.ofNullable(flows.remove(id));
        changed.add(id);
        broken.remove(id);
        flow.ifPresent(gone -> byKey.remove(gone.record().key(), id));
        flow.ifPresent(gone -> slots.remove(SlotPlace.of(gone.record()), id));
        flow.ifPresent(gone -> sit(gone, -1));
        flow.flatMap(gone -> gone.record().purpose().transfer()).ifPresent(name ->
            byTransfer.computeIfPresent(name, (same, ids) -> ids.remove(id) && ids.isEmpty() ? null : ids));
        return flow;
    }

    Optional<FlowState> flow(final long id) {
        return Optional.ofNullable(flows.get(id));
    }

    Optional<FlowState> flow(final FlowKey key) {
        return Optional.ofNullable(byKey.get(key)).map(flows::get);
    }

    Collection<FlowState> all() {
        return List.copyOf(flows.values());
    }

    /** The slots of services, which are flows of many clients. */
    List<FlowState> slots() {
        return slots.values().stream().sorted().map(flows::get).toList();
    }

    /** The slot of {@code key} for clients behind {@code edge}. */
    Optional<FlowState> slot(final FlowKey key, final SwitchId edge) {
        return Optional.ofNullable(slots.get(new SlotPlace(key, edge))).map(flows::get);
    }

    List<FlowState> ofTransfer(final String transfer) {
        return byTransfer.getOrDefault(transfer, new TreeSet<>()).stream().map(flows::get).toList();
    }

    /** True if flows lead from a virtual address to this one. */
    boolean isBehindVirtual(final InetAddress server) {
        return virtual.containsKey(server);
    }

    /** The transfers that have flows. */
    List<String> transfers() {
        return List.copyOf(byTransfer.keySet());
    }

    /** How many requests are placed on a server of a service, those of {@code except}, a transfer, not counted. */
    int requests(final String service, final String server, final Optional<String> except) {
        final var seat = new Seat(service, server);
        final long excepted = except.stream().flatMap(transfer -> ofTransfer(transfer).stream())
            .filter(flow -> seat(flow).filter(seat::equals).isPresent()).count();
        return seats.getOrDefault(seat, 0) - (int) excepted;
    }

    /**
     * The network with all placed flows whose path is whole, and per link what it carries beyond them. What a flow has
     * carried is not taken for something else once it has moved or ended, until the next reading. A slot that carries
     * nothing is laid out ahead of time and wants nothing.
     */
    World world(final FabricSnapshot snapshot) {
        final var known = world.filter(same -> same.fabric() == snapshot).map(this::updated)
            .orElseGet(() -> compute(snapshot));
        changed.clear();
        world = Optional.of(known);
        return known;
    }

    private World updated(final World known) {
        return changed.isEmpty() ? known : known.replacing(changed, changed.stream().sorted().map(flows::get)
            .filter(flow -> flow != null && isWhole(flow)).map(FlowBook::view).toList());
    }

    private boolean isWhole(final FlowState flow) {
        return !broken.contains(flow.record().id())
            && !(flow.record().key().isSlot() && flow.usage().rate().equals(Bandwidth.ZERO));
    }

    private World compute(final FabricSnapshot snapshot) {
        final var own = new HashMap<PortId, Bandwidth>();
        final var carrying = flows.values().stream().filter(this::isWhole).toList();
        for (var flow : carrying) {
            flow.forward().links().forEach(link ->
                own.merge(link.source(), flow.usage().forwardRate(), Bandwidth::plus));
            flow.backward().links().forEach(link ->
                own.merge(link.source(), flow.usage().backwardRate(), Bandwidth::plus));
        }
        final var background = new HashMap<PortId, Bandwidth>();
        snapshot.links().forEach(link -> background.put(link.source(),
            link.load().minusOrZero(own.getOrDefault(link.source(), Bandwidth.ZERO))));
        return new World(snapshot, carrying.stream().map(FlowBook::view).toList(), background);
    }

    /** The same without some flows, which are about to be placed anew. */
    World without(final List<FlowState> anew, final FabricSnapshot snapshot) {
        return world(snapshot).replacing(anew.stream().map(flow -> flow.record().id()).collect(Collectors.toSet()),
            List.of());
    }

    static FlowView view(final FlowState flow) {
        return new FlowView(flow.record().id(), flow.forward(), flow.backward(), flow.limit());
    }

    /** Looks at all flows anew, since links came or went; returns those that are broken now. */
    List<FlowState> observe() {
        world = Optional.empty();
        flows.values().forEach(this::look);
        return broken.stream().sorted().map(flows::get).toList();
    }

    private void look(final FlowState flow) {
        final long id = flow.record().id();
        if (links.isBroken(flow.forward()) || links.isBroken(flow.backward())) {
            broken.add(id);
        } else {
            broken.remove(id);
        }
    }
}
