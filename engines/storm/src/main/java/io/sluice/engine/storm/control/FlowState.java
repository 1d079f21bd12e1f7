// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.Connection;

/**
 * A flow as both its ends told of it last.
 *
 * @param connection over which it goes, as its sender sees it
 * @param passedBytes acknowledged by the receiver's kernel since the sending worker began
 * @param senderBytes that wait at the sender, its kernel included
 * @param receiverBytes that wait at the receiver: in its kernel, and in the queue of the task
 * @param lostMessages dropped since the sending worker began
 * @param toldNs when the sender told, on a clock that only goes forward
 */
record FlowState(Connection connection, long passedBytes, long senderBytes, long receiverBytes, long lostMessages,
        long toldNs) { }
