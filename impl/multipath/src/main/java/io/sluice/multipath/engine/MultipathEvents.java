// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.steering.FlowRecord;
import java.util.SortedSet;

/** Hears what happens to flows; called on the engine's loop. */
public interface MultipathEvents {
    void placed(FlowState flow);

    void moved(FlowState flow, MoveCause cause);

    void withdrawn(FlowState flow, WithdrawCause cause);

    void refused(Connection connection, String reason);

    /** A transfer that stands in the configuration can't be placed for now. */
    void refused(Transfer transfer, String reason);

    /** Packets of some slots of a service find no way from {@code edge} for now; told again when the slots change. */
    void refused(String service, SortedSet<Integer> slots, SwitchId edge, String reason);

    /** So many first packets were turned away: too many others were waiting to be placed. */
    void turnedAway(long packets);

    /** So many first packets were not passed on: of a connection that is refused, or more than wait for an answer. */
    void dropped(long packets);

    /** So many fragments were relayed along the flow of their connection. */
    void fragmentsRelayed(long packets);

    /** So many fragments were not: the first one of their packet did not come, or their destination is not there. */
    void fragmentsDropped(long packets);

    /** A flow of an earlier run of the controller can't be taken over, and is forgotten. */
    void forgotten(FlowRecord flow, String reason);

    /** A transfer goes over one path now, or over several again. */
    void splitChanged(Split split);

    /** Why a flow moved: the fourth and fifth are {@link Split}'s, the next two those of slots. */
    enum MoveCause {
        PATH_BROKEN, HOST_MOVED, BETTER_PATH, SINGLE_PATH, SPREAD_AGAIN, SERVER_GONE, SPLIT_CORRECTED, ASKED_ANEW,
        SERVER_DRAINED
    }

    /** Why a flow was withdrawn. */
    enum WithdrawCause { IDLE, RELEASED, UNREACHABLE, SERVER_DRAINED, SERVICE_GONE }
}
