// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where a piece comes from.
 *
 * @param together the pieces that were chosen for at once, this one among them
 * @param expectedRate max-min share in the fuller direction, given all flows; zero if neither a link nor the demand
 *     limits it
 * @param bottleneck link that limits it
 * @param weighing what the choice was weighed against
 */
public record Assignment(int piece, List<Integer> together, Candidate candidate, Path forward, Path backward,
        Bandwidth expectedRate, Optional<Bottleneck> bottleneck, Weighing weighing) {
    public Assignment {
        together = List.copyOf(together);
    }
}
