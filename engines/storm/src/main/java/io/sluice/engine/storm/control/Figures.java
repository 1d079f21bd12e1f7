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
    /** From what was seen at both ends of the interval. */
    static Figures between(final FlowState before, final FlowState after) {
        return new Figures(Math.max(0, after.passedBytes() - before.passedBytes()), before.senderBytes(),
            after.senderBytes(), before.receiverBytes(), after.receiverBytes());
    }
}
