// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.FlowState.Reason;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.Steering;
import java.util.List;
import java.util.Optional;

/** Flows of an earlier run of the controller, from the records that were kept. */
final class Restored {
    private Restored() {
        // functions only
    }

    static FlowState flow(final FlowRecord record, final Steering steering, final Environment environment) {
        final long nowNs = environment.nowNs().getAsLong();
        return new FlowState(record,
            path(record.clientSide(), record.serverSide(), record.labels().map(FlowRecord.Labels::forward), steering),
            path(record.serverSide(), record.clientSide(), record.labels().map(FlowRecord.Labels::backward), steering),
            Optional.empty(), Reason.RESTORED, environment.clock().instant(), nowNs, 0, Usage.none(nowNs),
            Optional.empty());
    }

    /** The links are known by their ports; capacity and load are the fabric's to say. */
    private static Path path(final SwitchId from, final SwitchId to, final Optional<PathLabel> label,
            final Steering steering) {
        final var links = label.flatMap(steering::path).map(path -> path.hops().stream()
            .map(hop -> new Link(hop.out(), hop.in(), Bandwidth.ZERO, Bandwidth.ZERO)).toList()).orElse(List.of());
        return new Path(from, to, links);
    }
}
