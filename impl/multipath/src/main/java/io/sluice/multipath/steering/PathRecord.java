// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.PathLabel;
import java.util.List;
import java.util.Optional;

/**
 * A path and how each of its hops is protected.
 *
 * @param hops at least one
 * @param protections at most one for each hop, in order
 */
public record PathRecord(PathLabel label, List<Hop> hops, List<Protection> protections) implements LabelledRecord {
    /**
     * The detour around one hop.
     *
     * @param hopIndex from 0
     */
    public record Protection(int hopIndex, PathLabel detour) { }

    public PathRecord {
        hops = List.copyOf(hops);
        protections = List.copyOf(protections);
        for (var protection : protections) {
            if (protection.hopIndex() < 0 || protection.hopIndex() >= hops.size()) {
                throw new IllegalArgumentException("path " + label.number() + " has no hop "
                    + protection.hopIndex());
            }
        }
    }

    @Override
    public long object() {
        return ObjectKind.PATH.object(label.number());
    }

    /** Label of the detour around hop {@code index}. */
    public Optional<PathLabel> detourAround(final int index) {
        return protections.stream().filter(protection -> protection.hopIndex() == index).map(Protection::detour)
            .findFirst();
    }
}
