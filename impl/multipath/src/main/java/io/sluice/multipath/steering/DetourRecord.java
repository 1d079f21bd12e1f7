// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.PathLabel;
import java.util.List;

/**
 * A way around a lost link.
 *
 * @param lost the link, from the switch where the detour begins
 * @param hops from there to the egress switch of the paths that it serves; at least one
 */
public record DetourRecord(PathLabel label, Hop lost, List<Hop> hops) implements LabelledRecord {
    public DetourRecord {
        hops = List.copyOf(hops);
        if (!hops.getFirst().out().switchId().equals(lost.out().switchId())) {
            throw new IllegalArgumentException("detour " + label.number() + " doesn't begin where " + lost + " does");
        }
    }

    @Override
    public long object() {
        return ObjectKind.DETOUR.object(label.number());
    }
}
