// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.api.Bus;
import io.sluice.api.Topic;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** A topic that a node publishes numbered messages on. */
record Feed(Bus node, Topic topic) {
    private static final long RETRY_NS = 1_000_000;
    private static final long NS_PER_US = 1000;

    /** Publishes what has no number: as last value it reaches all who subscribe. */
    void warm() {
        publish(Workload.WARM_UP);
    }

    /**
     * Publishes the workload on each feed, all at the same pace one after the other. A message that the bus is too busy
     * for is kept and tried again until it is taken.
     *
     * @param load count and interval are those of all feeds together
     * @return a JSON object: how often the bus was busy, how late the latest message was, when the last one was taken
     */
    static String publish(final List<Feed> feeds, final Workload load) {
        long refusals = 0;
        long latestNs = 0;
        for (int turn = 0; turn < load.count(); turn++) {
            LockSupport.parkNanos(load.dueNs(turn) - System.nanoTime());
            refusals += feeds.get(turn % feeds.size()).publish(load.body(turn / feeds.size()));
            latestNs = Math.max(latestNs, System.nanoTime() - load.dueNs(turn));
        }
        return String.format(Locale.ROOT, "{\"refusals\": %d, \"late_us\": %d, \"end_ns\": %d}", refusals,
            latestNs / NS_PER_US, System.nanoTime());
    }

    private int publish(final String body) {
        int refusals = 0;
        while (node.publish(topic, body) instanceof Bus.Publication.Refused refused) {
            if (!refused.busy()) {
                throw new IllegalStateException(refused.reason());
            }
            refusals++;
            LockSupport.parkNanos(RETRY_NS);
        }
        return refusals;
    }
}
