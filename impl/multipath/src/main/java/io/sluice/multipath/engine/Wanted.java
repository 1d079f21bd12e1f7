// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.Requests.Asked;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.steering.FlowKey;
import io.sluice.multipath.steering.FlowRequest;
import io.sluice.multipath.steering.Purpose;
import java.util.Optional;
import java.util.OptionalInt;

/** A flow to install, with what it is for. */
record Wanted(FlowKey key, Assignment assignment, Asked asked, Optional<Transfer> transfer) {
    FlowRequest request(final long id) {
        return new FlowRequest(id, key, assignment.candidate().address(), assignment.forward(), assignment.backward(),
            purpose());
    }

    private Purpose purpose() {
        return new Purpose(asked.demand().strategy().name(), transfer.map(Transfer::name),
            asked.service().map(Service::name), asked.service().map(service -> assignment.candidate().server()),
            asked.service().isPresent() ? OptionalInt.of(assignment.piece()) : OptionalInt.empty());
    }
}
