// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.steering.FlowRecord;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedSet;

/** Counts what happens to flows, and passes it on. Belongs to the engine's loop. */
public final class FlowCounts implements MultipathEvents {
    private final MultipathEvents listener;
    private final Map<Counted, Long> totals = new EnumMap<>(Counted.class);

    /**
     * What is counted. {@link #TURNED_AWAY} and {@link #DROPPED} count first packets: those for which there was no
     * room, and others that were not passed on.
     */
    public enum Counted {
        PLACED, MOVED, WITHDRAWN, REFUSED, TRANSFERS_REFUSED, SLOTS_REFUSED, TURNED_AWAY, DROPPED, FRAGMENTS_RELAYED,
        FRAGMENTS_DROPPED
    }

    /** Starts at zero. */
    public FlowCounts(final MultipathEvents listener) {
        this.listener = listener;
    }

    @Override
    public void placed(final FlowState flow) {
        count(Counted.PLACED, 1);
        listener.placed(flow);
    }

    @Override
    public void moved(final FlowState flow, final MoveCause cause) {
        count(Counted.MOVED, 1);
        listener.moved(flow, cause);
    }

    @Override
    public void withdrawn(final FlowState flow, final WithdrawCause cause) {
        count(Counted.WITHDRAWN, 1);
        listener.withdrawn(flow, cause);
    }

    @Override
    public void refused(final Connection connection, final String reason) {
        count(Counted.REFUSED, 1);
        listener.refused(connection, reason);
    }

    @Override
    public void refused(final Transfer transfer, final String reason) {
        count(Counted.TRANSFERS_REFUSED, 1);
        listener.refused(transfer, reason);
    }

    @Override
    public void refused(final String service, final SortedSet<Integer> slots, final SwitchId edge,
            final String reason) {
        count(Counted.SLOTS_REFUSED, 1);
        listener.refused(service, slots, edge, reason);
    }

    @Override
    public void turnedAway(final long packets) {
        count(Counted.TURNED_AWAY, packets);
        listener.turnedAway(packets);
    }

    @Override
    public void dropped(final long packets) {
        count(Counted.DROPPED, packets);
        listener.dropped(packets);
    }

    @Override
    public void fragmentsRelayed(final long packets) {
        count(Counted.FRAGMENTS_RELAYED, packets);
        listener.fragmentsRelayed(packets);
    }

    @Override
    public void fragmentsDropped(final long packets) {
        count(Counted.FRAGMENTS_DROPPED, packets);
        listener.fragmentsDropped(packets);
    }

    @Override
    public void forgotten(final FlowRecord flow, final String reason) {
        listener.forgotten(flow, reason);
    }

    @Override
    public void splitChanged(final Split split) {
        listener.splitChanged(split);
    }

    /** How often each has happened so far; what never did is absent. */
    public Map<Counted, Long> totals() {
        return Map.copyOf(totals);
    }

    private void count(final Counted what, final long n) {
        totals.merge(what, n, Long::sum);
    }
}
