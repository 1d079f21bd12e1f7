// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;

/** What tells an entry from the others of its switch, which holds at most one in each place. */
sealed interface Place {
    record OfFlow(int tableId, int priority, FlowMatch match) implements Place { }

    record OfGroup(long groupId) implements Place { }

    record OfMeter(int number) implements Place { }

    static Place of(final Entry entry) {
        return switch (entry) {
            case Entry.Flow flow -> new OfFlow(flow.tableId(), flow.priority(), flow.match());
            case Entry.FailoverGroup group -> new OfGroup(group.groupId());
            case Entry.Meter meter -> new OfMeter(meter.number());
        };
    }
}
