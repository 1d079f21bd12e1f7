// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Connection;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.MultipathEvents;
import io.sluice.multipath.engine.Split;
import io.sluice.multipath.steering.FlowRecord;
import java.util.SortedSet;

/** Hears what happens to flows, and does nothing about it. */
final class NoEvents implements MultipathEvents {
    @Override
    public void placed(final FlowState flow) {
        // not counted
    }

    @Override
    public void moved(final FlowState flow, final MoveCause cause) {
        // not counted
    }

    @Override
    public void withdrawn(final FlowState flow, final WithdrawCause cause) {
        // not counted
    }

    @Override
    public void refused(final Connection connection, final String reason) {
        // not counted
    }

    @Override
    public void refused(final Transfer transfer, final String reason) {
        // there are no transfers
    }

    @Override
    public void refused(final String service, final SortedSet<Integer> slots, final SwitchId edge,
            final String reason) {
        // there are no slots
    }

    @Override
    public void turnedAway(final long packets) {
        // not counted
    }

    @Override
    public void dropped(final long packets) {
        // not counted
    }

    @Override
    public void fragmentsRelayed(final long packets) {
        // there are no fragments
    }

    @Override
    public void fragmentsDropped(final long packets) {
        // there are no fragments
    }

    @Override
    public void forgotten(final FlowRecord flow, final String reason) {
        // nothing is taken over
    }

    @Override
    public void splitChanged(final Split split) {
        // there are no transfers
    }
}
