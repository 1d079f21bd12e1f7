// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.steering.FlowRecord;
import java.util.SortedSet;

/** Counts what happens to flows, and passes it on. Belongs to the engine's loop. */
public final class FlowCounts implements MultipathEvents {
    private final MultipathEvents listener;
    private Totals totals = new Totals(0, 0, 0, 0, 0, 0);

    /**
     * How often each event has happened; {@code turnedAway} and {@code dropped} count first packets: those for which
     * there was no room, and others that were not passed on.
     */
    public record Totals(long placed, long moved, long withdrawn, long refused, long turnedAway, long dropped) {
        private Totals plus(final Totals other) {
            return new Totals(placed + other.placed, moved + other.moved, withdrawn + other.withdrawn,
                refused + other.refused, turnedAway + other.turnedAway, dropped + other.dropped);
        }
    }

    /** Starts at zero. */
    public FlowCounts(final MultipathEvents listener) {
        this.listener = listener;
    }

    @Override
    public void placed(final FlowState flow) {
        totals = totals.plus(new Totals(1, 0, 0, 0, 0, 0));
        listener.placed(flow);
    }

    @Override
    public void moved(final FlowState flow, final MoveCause cause) {
        totals = totals.plus(new Totals(0, 1, 0, 0, 0, 0));
        listener.moved(flow, cause);
    }

    @Override
    public void withdrawn(final FlowState flow, final WithdrawCause cause) {
        totals = totals.plus(new Totals(0, 0, 1, 0, 0, 0));
        listener.withdrawn(flow, cause);
    }

    @Override
    public void refused(final Connection connection, final String reason) {
        totals = totals.plus(new Totals(0, 0, 0, 1, 0, 0));
        listener.refused(connection, reason);
    }

    @Override
    public void refused(final Transfer transfer, final String reason) {
        listener.refused(transfer, reason);
    }

    @Override
    public void refused(final String service, final SortedSet<Integer> slots, final SwitchId edge,
            final String reason) {
        listener.refused(service, slots, edge, reason);
    }

    @Override
    public void turnedAway(final long packets) {
        totals = totals.plus(new Totals(0, 0, 0, 0, packets, 0));
        listener.turnedAway(packets);
    }

    @Override
    public void dropped(final long packets) {
        totals = totals.plus(new Totals(0, 0, 0, 0, 0, packets));
        listener.dropped(packets);
    }

    @Override
    public void forgotten(final FlowRecord flow, final String reason) {
        listener.forgotten(flow, reason);
    }

    @Override
    public void splitChanged(final Split split) {
        listener.splitChanged(split);
    }

    public Totals totals() {
        return totals;
    }
}
