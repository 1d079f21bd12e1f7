// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/** Name of a switch, as in the fabric's YANG: {@code openflow:<datapath id, decimal>}. */
public record SwitchId(String value) implements Comparable<SwitchId> {
    public SwitchId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("a switch needs a name");
        }
    }

    @Override
    public int compareTo(final SwitchId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
