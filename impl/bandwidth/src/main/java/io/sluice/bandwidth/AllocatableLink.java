// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static java.util.Objects.requireNonNull;

import io.sluice.api.Bandwidth;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One direction of a cable whose bandwidth is shared out.
 *
 * @param name unique in a round
 * @param role where it stands; only {@link AppAware} tells roles apart
 * @param capacity over layer-2 frames
 * @param crossTraffic what flows outside the round use of it, or may use
 */
public record AllocatableLink(String name, Role role, Bandwidth capacity, Bandwidth crossTraffic) {
    /** Where a link stands (paper, section II-B). */
    public enum Role {
        /** From a machine into the network: flows fork here. */
        UPLINK,
        /** From the network to a machine: flows join here. */
        DOWNLINK,
        /** Between switches. */
        INTERNAL
    }

    public AllocatableLink {
        requireNonNull(name);
        requireNonNull(role);
        requireNonNull(capacity);
        requireNonNull(crossTraffic);
    }

    /** A link without cross traffic. */
    public AllocatableLink(final String name, final Role role, final Bandwidth capacity) {
        this(name, role, capacity, Bandwidth.ZERO);
    }

    /** Capacities of links by their names. */
    public static Map<String, Bandwidth> capacities(final Collection<AllocatableLink> links) {
        return links.stream().collect(Collectors.toMap(AllocatableLink::name, AllocatableLink::capacity));
    }

    /** What there is to share out: zero if cross traffic fills the link. */
    public Bandwidth available() {
        return capacity.minusOrZero(crossTraffic);
    }
}
