// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Port;
import io.sluice.multipath.engine.Measured.Carried;
import io.sluice.multipath.placement.FlowView;
import io.sluice.multipath.placement.PlacedRates;
import io.sluice.multipath.placement.Strategy;
import io.sluice.multipath.placement.World;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the transfers carry, from review to review. */
final class Measurements {
    /** Of a host's link that carries so much of its capacity nobody gets more, whatever the path. */
    private static final double FULL = 0.9;

    private final FlowBook book;
    private final ReviewedRates rates = new ReviewedRates();

    /** An address in a VLAN, as {@link io.sluice.api.Host#vlan} says. */
    private record End(int vlan, InetAddress address) { }

    Measurements(final FlowBook book) {
        this.book = book;
    }

    /** Takes note of what the flows have carried, which were sampled just now. */
    void note() {
        rates.note(book.all());
    }

    /** The flows that a transfer moves over the network by the strategy that reviews what it placed. */
    List<FlowState> flowsOf(final String transfer) {
        return book.ofTransfer(transfer).stream().filter(flow -> !flow.forward().links().isEmpty()
            && Reviews.strategy(flow) == Strategy.JOINT).toList();
    }

    /**
     * The transfers that were measured, by name. Flows behind a host's link that is full are left out: they say nothing
     * of their paths.
     */
    Map<String, Measured> transfers(final FabricSnapshot snapshot) {
        final var measured = new TreeMap<String, Measured>();
        final var placed = new PlacedRates(book.world(snapshot));
        final var busyHosts = busyHosts(snapshot);
        book.transfers().forEach(name -> {
            final var flows = flowsOf(name);
            rates.of(flows).ifPresent(carried -> measured.put(name, measured(flows, carried, placed, busyHosts)));
        });
        return measured;
    }

    /** What a flow carried since the last review, if it has not moved since. */
    Optional<Bandwidth> rate(final long id) {
        return rates.last(id).map(Usage::rate);
    }

    /** The world in which {@code flows} want what was asked for, whatever they carried so far. */
    World wanting(final List<FlowState> flows, final FabricSnapshot snapshot) {
        final var wanted = flows.stream().map(Measurements::view)
            .collect(Collectors.toMap(FlowView::id, Function.identity()));
        final var world = book.world(snapshot);
        return new World(snapshot, world.flows().stream().map(view -> wanted.getOrDefault(view.id(), view)).toList(),
            world.background());
    }

    static FlowView view(final FlowState flow) {
        return new FlowView(flow.record().id(), flow.forward(), flow.backward(), flow.wanted());
    }

    private Measured measured(final List<FlowState> flows, final Map<Long, Usage> carried, final PlacedRates placed,
            final Set<End> busyHosts) {
        final var active = flows.stream().filter(flow -> carried.containsKey(flow.record().id())
            && Stream.of(flow.record().key().client(), flow.record().server()).noneMatch(address ->
                busyHosts.contains(new End(flow.record().key().vlan(), address)))).toList();
        final var expected = placed.wanting(active.stream().map(Measurements::view).toList());
        return new Measured(active.stream().filter(flow -> expected.containsKey(flow.record().id()))
            .map(flow -> new Carried(flow, carried.get(flow.record().id()), expected.get(flow.record().id())))
            .toList());
    }

    /** Addresses of the hosts whose link is full. */
    private static Set<End> busyHosts(final FabricSnapshot snapshot) {
        return snapshot.hosts().stream().filter(host -> Optional.ofNullable(snapshot.ports().get(host.attachment()))
            .filter(Measurements::isFull).isPresent()).flatMap(host ->
                host.addresses().stream().map(address -> new End(host.vlan(), address)))
            .collect(Collectors.toSet());
    }

    private static boolean isFull(final Port port) {
        final var busiest = port.sent().compareTo(port.received()) > 0 ? port.sent() : port.received();
        return busiest.bitsPerSecond() >= FULL * port.capacity().bitsPerSecond();
    }
}
