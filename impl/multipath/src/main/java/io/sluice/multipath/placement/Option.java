// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Path;
import java.util.List;

/** One way to serve a piece. */
record Option(Candidate candidate, Path forward, Path backward) {
    /** The client's own switch. */
    static Option here(final Candidate candidate) {
        final var path = new Path(candidate.edge(), candidate.edge(), List.of());
        return new Option(candidate, path, path);
    }

    /** The same way to another server on that switch. */
    Option at(final Candidate other) {
        return new Option(other, forward, backward);
    }
}
