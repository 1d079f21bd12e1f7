// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import java.util.List;
import java.util.Optional;

/** How the slots that a server has of a switch's clients are split over paths. */
public record SlotSplit(Place place, List<Part> parts) {
    /**
     * What is split.
     *
     * @param port that the clients use
     */
    public record Place(String service, int port, SwitchId clientSwitch, String server) { }

    /**
     * A path.
     *
     * @param slots how many take it
     * @param wanted its weight as a part of all, 0..1
     * @param measured what its slots carried as a part of all, 0..1; empty if that is not known
     */
    public record Part(Path forward, int slots, double wanted, Optional<Double> measured) { }

    public SlotSplit {
        parts = List.copyOf(parts);
    }
}
