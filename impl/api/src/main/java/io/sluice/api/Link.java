// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.Set;

/**
 * One direction of a cable between two switches. Parallel cables are distinct links, told apart by their ports.
 *
 * @param capacity of this direction
 * @param load rate of this direction, mean over the last sampling interval
 * @param sharedRiskGroups numbers of the sets of cables, 0..2^32-1, with which the cable may fail together (RFC 4202,
 *     section 2.3)
 */
public record Link(PortId source, PortId destination, Bandwidth capacity, Bandwidth load, Set<Long> sharedRiskGroups)
        implements Comparable<Link> {
    public Link {
        sharedRiskGroups = Set.copyOf(sharedRiskGroups);
    }

    /** A link in no shared-risk group. */
    public Link(final PortId source, final PortId destination, final Bandwidth capacity, final Bandwidth load) {
        this(source, destination, capacity, load, Set.of());
    }

    /** This link with another capacity. */
    public Link withCapacity(final Bandwidth other) {
        return new Link(source, destination, other, load, sharedRiskGroups);
    }

    @Override
    public int compareTo(final Link other) {
        final int bySource = source.compareTo(other.source);
        return bySource != 0 ? bySource : destination.compareTo(other.destination);
    }

    @Override
    public String toString() {
        return source + "->" + destination;
    }
}
