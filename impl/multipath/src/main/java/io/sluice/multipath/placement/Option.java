// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Path;

/** One way to serve a piece. */
record Option(Candidate candidate, Path forward, Path backward) {
    @Override
    public String toString() {
        return candidate.server() + " over " + forward.links();
    }
}
