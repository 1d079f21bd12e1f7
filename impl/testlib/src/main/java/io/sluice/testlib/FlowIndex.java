// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Connection;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import io.sluice.api.SwitchId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The flows of a switch by table and by the one address that they look at, so that few of them have to be compared with
 * each packet. Not thread-safe.
 */
final class FlowIndex {
    /** Flows that look at no single address. */
    private static final Object NO_ADDRESS = new Object();

    private final SwitchId switchId;
    private final Map<Spot, Map<Place, Flow>> flows = new HashMap<>();

    private record Spot(int table, Object address) { }

    FlowIndex(final SwitchId switchId) {
        this.switchId = switchId;
    }

    /** Adds a flow, in place of one with the same table, priority and match. */
    void put(final Flow flow) {
        flows.computeIfAbsent(spot(flow), first -> new LinkedHashMap<>()).put(Place.of(flow), flow);
    }

    /** Removes the flow with the table, priority and match of {@code flow}, if it is there. */
    void remove(final Flow flow) {
        flows.computeIfPresent(spot(flow), (spot, there) -> {
            there.remove(Place.of(flow));
            return there.isEmpty() ? null : there;
        });
    }

    /**
     * Returns the flow of {@code table} with the largest priority that takes {@code packet}.
     *
     * @throws IllegalStateException if two flows of that priority take it
     */
    Optional<Flow> winner(final int table, final Packet packet, final long inPort) {
        Flow best = null;
        Flow equal = null;
        for (var address : addresses(packet)) {
            for (var flow : flows.getOrDefault(new Spot(table, address), Map.of()).values()) {
                if (best != null && flow.priority() < best.priority() || !packet.fits(flow.match(), inPort)) {
                    continue;
                }
                equal = best != null && flow.priority() == best.priority() ? flow : null;
                best = equal == null ? flow : best;
            }
        }
        if (equal != null) {
            throw new IllegalStateException(switchId + ": " + packet + " fits both " + best + " and " + equal);
        }
        return Optional.ofNullable(best);
    }

    private static Spot spot(final Flow flow) {
        return new Spot(flow.tableId(), address(flow.match()));
    }

    private static Object address(final FlowMatch match) {
        final var target = match.question().map(Question::target);
        if (target.isPresent()) {
            return target.orElseThrow();
        }
        return match.destination().filter(MaskedIp::isHost).<Object>map(MaskedIp::address)
            .or(() -> match.ethernetDestination().filter(to -> to.mask().equals(MacAddress.BROADCAST))
                .map(MaskedMac::address)).orElse(NO_ADDRESS);
    }

    /** All addresses by which a flow that takes {@code packet} may be filed, each once. */
    private static Collection<Object> addresses(final Packet packet) {
        return Stream.of(packet.question().map(Question::target).orElse(null),
            packet.connection().map(Connection::destination).orElse(null),
            packet.ethernetDestination(), NO_ADDRESS).filter(Objects::nonNull).distinct().toList();
    }
}
