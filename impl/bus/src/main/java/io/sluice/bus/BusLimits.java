// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

/**
 * Bounds of the bus's memory.
 *
 * @param window frames under way on a link without being confirmed, 4 to 1,000,000
 * @param retainedMessages messages that a publisher keeps for repair, over all topics
 * @param retainedOctets size of their bodies
 * @param queue frames that a socket holds for one peer (the high-water mark); more than the window, with room for
 *     frames that need no credit
 * @param streams topics of a publisher that have a value or were withdrawn less than a day ago, 1 to 1,000,000; at a
 *     proxy or subscriber, 16 times as many streams over all publishers
 */
public record BusLimits(int window, int retainedMessages, long retainedOctets, int queue, int streams) {
    /** What is used unless somebody says otherwise. */
    public static final BusLimits DEFAULT = new BusLimits(4096, 65_536, 64L << 20, 4 * 4096, 65_536);

    public BusLimits {
        if (window < 4 || window > 1_000_000 || retainedMessages < 1 || retainedOctets < 1 || queue <= window
            || streams < 1 || streams > 1_000_000) {
            throw new IllegalArgumentException("limits of the bus out of range: window " + window + ", "
                + retainedMessages + " messages, " + retainedOctets + " octets, queue " + queue + ", " + streams
                + " streams");
        }
    }
}
