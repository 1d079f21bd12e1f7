// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PortId;
import io.sluice.multipath.placement.FlowView;
import io.sluice.multipath.placement.World;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.Hop;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The placed flows, and the world as the next placement has to see it. */
final class FlowBook {
    private final Map<Long, FlowState> flows = new TreeMap<>();
    private final Map<FlowKey, Long> byKey = new HashMap<>();
    /** Links that were there once: only of those is it known that they are gone when they are absent. */
    private final Set<Hop> seen = new HashSet<>();
    private long nextId = 1;

    /** Returns a number that no flow had since the records began. */
    long nextId() {
        return nextId++;
    }

    void put(final FlowState flow) {
        flows.put(flow.record().id(), flow);
        byKey.put(flow.record().key(), flow.record().id());
        nextId = Math.max(nextId, flow.record().id() + 1);
    }

    Optional<FlowState> remove(final long id) {
        final var flow = Optional.ofNullable(flows.remove(id));
        flow.ifPresent(gone -> byKey.remove(gone.record().key()));
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

    List<FlowState> ofTransfer(final String transfer) {
        return flows.values().stream()
            .filter(flow -> flow.record().purpose().transfer().filter(transfer::equals).isPresent()).toList();
    }

    /** How many flows are placed on a server of a service. */
    int requests(final String service, final String server) {
        return (int) flows.values().stream().map(flow -> flow.record().purpose())
            .filter(purpose -> purpose.service().filter(service::equals).isPresent()
                && purpose.server().filter(server::equals).isPresent()).count();
    }

    /** The network with all placed flows, and per link what it carries beyond them. */
    World world(final FabricSnapshot snapshot) {
        final var own = new HashMap<PortId, Bandwidth>();
        for (var flow : flows.values()) {
            flow.forward().links().forEach(link ->
                own.merge(link.source(), flow.usage().forwardRate(), Bandwidth::plus));
            flow.backward().links().forEach(link ->
                own.merge(link.source(), flow.usage().backwardRate(), Bandwidth::plus));
        }
        final var background = new HashMap<PortId, Bandwidth>();
        snapshot.links().forEach(link -> background.put(link.source(),
            link.load().minusOrZero(own.getOrDefault(link.source(), Bandwidth.ZERO))));
        return new World(snapshot, flows.values().stream().map(FlowBook::view).toList(), background);
    }

    /** The same without one flow, which is about to be placed anew. */
    World without(final FlowState flow, final FabricSnapshot snapshot) {
        final var world = world(snapshot);
        return new World(world.fabric(), world.flows().stream().filter(view -> view.id() != flow.record().id())
            .toList(), world.background());
    }

    static FlowView view(final FlowState flow) {
        return new FlowView(flow.record().id(), flow.forward(), flow.backward(), flow.limit());
    }

    /** Takes note of the links of a snapshot and returns the flows that cross a link that was there and is gone. */
    List<FlowState> broken(final FabricSnapshot snapshot) {
        final var present = new HashSet<Hop>();
        snapshot.links().forEach(link -> present.add(Hop.of(link)));
        seen.addAll(present);
        return flows.values().stream().filter(flow -> isBroken(flow.forward(), present, snapshot)
            || isBroken(flow.backward(), present, snapshot)).toList();
    }

    private boolean isBroken(final Path path, final Set<Hop> present, final FabricSnapshot snapshot) {
        return path.links().stream().anyMatch(link -> !present.contains(Hop.of(link))
            && (seen.contains(Hop.of(link)) || isDown(link, snapshot)));
    }

    private static boolean isDown(final Link link, final FabricSnapshot snapshot) {
        final var out = snapshot.ports().get(link.source());
        final var in = snapshot.ports().get(link.destination());
        return out != null && !out.up() || in != null && !in.up();
    }
}
