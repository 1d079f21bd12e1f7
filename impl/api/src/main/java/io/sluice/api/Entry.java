// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;
import java.util.OptionalInt;

/** Something a switch should hold. Flows refer to meters and groups, so meters and groups are installed first. */
public sealed interface Entry {
    /**
     * A flow entry without time-outs. The switch holds at most one entry for a table, priority and match.
     *
     * @param tableId 0..254
     * @param priority 0..65535, larger wins
     * @param meter number of the meter that the packet passes first
     * @param nextTable table that goes on with the packet after {@code actions}; larger than {@code tableId}
     */
    record Flow(int tableId, int priority, FlowMatch match, List<Action> actions, OptionalInt meter,
            OptionalInt nextTable) implements Entry {
        public Flow {
            if (tableId < 0 || tableId > 254 || priority < 0 || priority > 0xffff) {
                throw new IllegalArgumentException("table " + tableId + ", priority " + priority);
            }
            if (nextTable.isPresent() && nextTable.getAsInt() <= tableId) {
                throw new IllegalArgumentException("table " + tableId + " can't go back to "
                    + nextTable.getAsInt());
            }
            actions = List.copyOf(actions);
        }

        public Flow(final int tableId, final int priority, final FlowMatch match, final List<Action> actions) {
            this(tableId, priority, match, actions, OptionalInt.empty(), OptionalInt.empty());
        }

        /** This flow, metered by {@code number} first. */
        public Flow meteredBy(final int number) {
            return new Flow(tableId, priority, match, actions, OptionalInt.of(number), nextTable);
        }

        /** Tells whether packets that this flow takes pass {@code other}, a meter or group. */
        public boolean uses(final Entry other) {
            return switch (other) {
                case Meter used -> meter.equals(OptionalInt.of(used.number()));
                case FailoverGroup used -> actions.contains(new Action.ToGroup(used.groupId()));
                case Flow flow -> false;
            };
        }

        /** This flow, followed by table {@code next}. */
        public Flow goingOnTo(final int next) {
            return new Flow(tableId, priority, match, actions, meter, OptionalInt.of(next));
        }
    }

    /**
     * A fast-failover group: the first bucket whose watched port is up takes the packet.
     *
     * @param groupId from {@link Owner#groupId}
     */
    record FailoverGroup(long groupId, List<Bucket> buckets) implements Entry {
        public FailoverGroup {
            buckets = List.copyOf(buckets);
        }
    }

    /** Actions of a group that count while port {@code watchPort} is up. */
    record Bucket(long watchPort, List<Action> actions) {
        public Bucket {
            actions = List.copyOf(actions);
        }
    }

    /**
     * A meter that drops what exceeds its rate.
     *
     * @param number from {@link Owner#meterNumber}
     * @param unit what is counted: kilobits (layer-2) or packets
     * @param rate in kilobits or packets per second, 1..2^32-1
     * @param burst depth of the bucket, in kilobits or packets, 1..2^32-1
     */
    record Meter(int number, MeterUnit unit, long rate, long burst) implements Entry { }

    enum MeterUnit { KILOBITS, PACKETS }
}
