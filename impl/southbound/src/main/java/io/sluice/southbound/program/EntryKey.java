// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Owner;

/** What tells one entry of a switch from another. */
public sealed interface EntryKey {
    /** A flow table holds one entry for a priority and match. */
    record FlowKey(int tableId, int priority, FlowMatch match) implements EntryKey {
        @Override
        public String toString() {
            return "table " + tableId + ", priority " + priority + ", " + match;
        }
    }

    record GroupKey(long groupId) implements EntryKey {
        @Override
        public String toString() {
            return "group " + groupId;
        }
    }

    record MeterKey(int number) implements EntryKey {
        @Override
        public String toString() {
            return "meter " + Owner.meterOfNumber(number) + " of owner " + Owner.ownerOfMeter(number);
        }
    }

    /**
     * A flow entry with Sluice's cookie and a match that Sluice never makes.
     *
     * @param id table, priority and match, as the switch says them
     */
    record AlienKey(String id) implements EntryKey {
        @Override
        public String toString() {
            return id;
        }
    }

    /** Returns the key of {@code entry}. */
    static EntryKey of(final Entry entry) {
        return switch (entry) {
            case Entry.Flow flow -> new FlowKey(flow.tableId(), flow.priority(), flow.match());
            case Entry.FailoverGroup group -> new GroupKey(group.groupId());
            case Entry.Meter meter -> new MeterKey(meter.number());
        };
    }
}
