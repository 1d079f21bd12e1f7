// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import java.util.List;

/** A way through the fabric that packets find by its label. */
public sealed interface LabelledRecord extends SteeringRecord permits DetourRecord, PathRecord {
    PathLabel label();

    /** The way, at least one hop. */
    List<Hop> hops();

    /** Switch where the way ends. */
    default SwitchId egress() {
        return hops().getLast().in().switchId();
    }
}
