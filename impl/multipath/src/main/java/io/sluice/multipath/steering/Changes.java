// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.Entry;
import io.sluice.api.SwitchId;
import java.util.List;
import java.util.Map;

/**
 * What is to be done on the switches, in order: first all of {@code declared}; when that is in place, all of
 * {@code withdrawn}.
 *
 * @param declared objects that are new or changed, those that others need first
 * @param withdrawn objects that nobody needs any more, those that need others first
 */
public record Changes(List<Declared> declared, List<SteeringRecord> withdrawn) {
    public Changes {
        declared = List.copyOf(declared);
        withdrawn = List.copyOf(withdrawn);
    }

    /** A record to keep, and the entries to declare for {@link SteeringRecord#object}. */
    public record Declared(SteeringRecord record, Map<SwitchId, List<Entry>> entries) {
        public Declared {
            entries = Map.copyOf(entries);
        }
    }
}
