// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import java.util.Optional;

/** A better way for a placed flow; {@code before} and {@code after} are its max-min rates. */
public record Move(long id, Path forward, Path backward, Bandwidth before, Bandwidth after,
        Optional<Bottleneck> bottleneck, Weighing weighing) {
    /** The same for another reason. */
    public Move because(final String reason) {
        return new Move(id, forward, backward, before, after, bottleneck, new Weighing(weighing.considered(),
            weighing.alternatives(), weighing.ranked(), reason));
    }
}
