// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.Comparator;

/** A port of a switch; {@code number} is the switch's own port number, 1..0xffffff00. */
public record PortId(SwitchId switchId, long number) implements Comparable<PortId> {
    /** Largest number that a physical or logical port can have (OpenFlow 1.3.5, section 7.2.1, OFPP_MAX). */
    public static final long MAX_NUMBER = 0xffff_ff00L;

    private static final Comparator<PortId> ORDER =
        Comparator.comparing(PortId::switchId).thenComparingLong(PortId::number);

    public PortId {
        if (number < 1 || number > MAX_NUMBER) {
            throw new IllegalArgumentException("port number " + number + " of " + switchId + " is not in 1.."
                + MAX_NUMBER);
        }
    }

    @Override
    public int compareTo(final PortId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return switchId + ":" + number;
    }
}
