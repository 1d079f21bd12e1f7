// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

/**
 * State of a flow over an interval, in bytes: the five metrics of Aljoby et al. (IEEE JSAC 37(8), 2019, section IV-A).
 *
 * @param transferred sent over the network during the interval
 * @param senderBefore waited at the sender, its kernel included, when the interval began
 * @param senderAfter the same when it ended
 * @param receiverBefore waited at the receiver when the interval began
 * @param receiverAfter the same when it ended
 */
record Figures(long transferred, long senderBefore, long senderAfter, long receiverBefore, long receiverAfter) {
    /** Of who has nothing to do. */
    static final Figures NONE = new Figures(0, 0, 0, 0, 0);

    /** A worker tells once in this time; what seems to come sooner was late before. */
    private static final long LEAST_PAUSE_NS = 1_000_000_000;

    /**
     * From what was seen at both ends of an interval, as if the sender had told at these very moments: what it sent,
     * and what its queue grew by, between the two times when it did tell is brought to the interval in proportion. The
     * receiver's queue is as it was seen. A sender that has begun to count anew had nothing when it did: it has been
     * given less by now than had passed. What has passed alone may seem to fall, since a worker looks at its own queue
     * and at its kernel's one after the other, and finds twice what goes from one to the other meanwhile.
     *
     * @param intervalNs that the controller is told of
     */
    static Figures between(final FlowState before, final FlowState after, final long intervalNs) {
        final double factor = (double) intervalNs / Math.max(LEAST_PAUSE_NS, after.toldNs() - before.toldNs());
        final boolean isAnew = after.passedBytes() + after.senderBytes() < before.passedBytes();
        final long passed = Math.max(0, after.passedBytes() - (isAnew ? 0 : before.passedBytes()));
        final long grown = Math.round((after.senderBytes() - (isAnew ? 0 : before.senderBytes())) * factor);
        return new Figures(Math.round(passed * factor), Math.max(0, after.senderBytes() - grown),
            after.senderBytes(), before.receiverBytes(), after.receiverBytes());
    }
}
