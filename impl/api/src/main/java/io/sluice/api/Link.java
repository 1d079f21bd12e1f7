// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/**
 * One direction of a cable between two switches. Parallel cables are distinct links, told apart by their ports.
 *
 * @param capacity of this direction
 * @param load rate of this direction, mean over the last sampling interval
 */
public record Link(PortId source, PortId destination, Bandwidth capacity, Bandwidth load)
        implements Comparable<Link> {
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
