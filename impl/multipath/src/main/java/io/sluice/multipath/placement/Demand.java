// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * What a client asks for at once.
 *
 * @param clientEdge switch that the client is attached to
 * @param paths how many disjoint paths are sought
 * @param bandwidth rate wanted for each piece; as much as there is if empty
 * @param hash what {@link Strategy#ECMP} and {@link Strategy#RANDOM} choose by
 */
public record Demand(InetAddress client, SwitchId clientEdge, List<Piece> pieces, int paths,
        Optional<Bandwidth> bandwidth, Strategy strategy, long hash) {
    public Demand {
        pieces = List.copyOf(pieces);
    }
}
