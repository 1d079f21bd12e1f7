// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How many links the edge switches of a service need so that the pieces of one request travel apart there (Guillen et
 * al., Section 3.3: n links if the data is split into n pieces). A server may be asked for all that is behind its
 * switch, and one that regenerates what it lost asks for all that is elsewhere; a switch needs a link for each piece of
 * the larger of the two.
 */
public final class LinkAdvice {
    /** A server and the pieces that it has. */
    public record Offer(InetAddress server, Set<Integer> pieces) {
        public Offer {
            pieces = Set.copyOf(pieces);
        }
    }

    /**
     * An edge switch with servers.
     *
     * @param uplinks links to other switches that it has
     * @param missing links that it needs beyond them
     */
    public record Edge(SwitchId switchId, int uplinks, int missing) { }

    private LinkAdvice() {
        // functions only
    }

    /** Returns the switches of the servers that were seen, in order; none if no server was. */
    public static List<Edge> of(final FabricSnapshot snapshot, final Collection<Offer> offers) {
        final Map<SwitchId, Set<Integer>> behind = new TreeMap<>();
        offers.forEach(offer -> snapshot.host(offer.server()).ifPresent(host ->
            behind.computeIfAbsent(host.attachment().switchId(), added -> new HashSet<>()).addAll(offer.pieces())));
        return behind.keySet().stream().map(edge -> {
            final long elsewhere = behind.entrySet().stream().filter(other -> !other.getKey().equals(edge))
                .flatMap(other -> other.getValue().stream()).distinct().count();
            final int needed = Math.max(behind.get(edge).size(), (int) elsewhere);
            final int uplinks = (int) snapshot.links().stream()
                .filter(link -> link.source().switchId().equals(edge)).count();
            return new Edge(edge, uplinks, Math.max(0, needed - uplinks));
        }).toList();
    }
}
