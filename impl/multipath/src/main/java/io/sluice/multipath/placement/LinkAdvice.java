// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many links edge switches need so that the pieces of one request for each service travel apart there (Guillen et
 * al., Section 3.3: n links if the data is split into n pieces). A server may be asked for all that is behind its
 * switch, and a client, or a server that regenerates what it lost, asks for all that is elsewhere; a switch needs a
 * link for each piece of the larger of the two.
 */
public final class LinkAdvice {
    /** A server and the pieces that it has. */
    public record Offer(InetAddress server, Set<Integer> pieces) {
        public Offer {
            pieces = Set.copyOf(pieces);
        }
    }

    /**
     * A switch with hosts.
     *
     * @param uplinks links to other switches that it has
     * @param missing links that it needs beyond them
     */
    public record Edge(SwitchId switchId, int uplinks, int missing) { }

    private LinkAdvice() {
        // functions only
    }

    /** Returns the switches with hosts, in order; none if no server of any service was seen. */
    public static List<Edge> of(final FabricSnapshot snapshot, final Collection<List<Offer>> services) {
        final var seen = services.stream().map(offers -> behind(snapshot, offers))
            .filter(behind -> !behind.isEmpty()).toList();
        return seen.isEmpty() ? List.of() : snapshot.hosts().stream().map(host -> host.attachment().switchId())
            .distinct().sorted().map(edge -> {
                final int needed = seen.stream().mapToInt(behind -> needed(edge, behind)).sum();
                final int uplinks = (int) snapshot.links().stream()
                    .filter(link -> link.source().switchId().equals(edge)).count();
                return new Edge(edge, uplinks, Math.max(0, needed - uplinks));
            }).toList();
    }

    /** The pieces of a service behind each switch. */
    private static Map<SwitchId, Set<Integer>> behind(final FabricSnapshot snapshot, final List<Offer> offers) {
        final var behind = new HashMap<SwitchId, Set<Integer>>();
        offers.forEach(offer -> snapshot.host(offer.server()).ifPresent(host ->
            behind.computeIfAbsent(host.attachment().switchId(), added -> new HashSet<>()).addAll(offer.pieces())));
        return behind;
    }

    private static int needed(final SwitchId edge, final Map<SwitchId, Set<Integer>> behind) {
        final long elsewhere = behind.entrySet().stream().filter(other -> !other.getKey().equals(edge))
            .flatMap(other -> other.getValue().stream()).distinct().count();
        return Math.max(behind.getOrDefault(edge, Set.of()).size(), (int) elsewhere);
    }
}
