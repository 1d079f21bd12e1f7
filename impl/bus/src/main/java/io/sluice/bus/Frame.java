// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import java.nio.charset.StandardCharsets;

/**
 * One frame on a link. The meaning of the numbers depends on the kind (docs/wire/bus.md); 0 where a kind has none.
 *
 * @param node who publishes, asks or introduces itself: {@code site/name}, of a proxy {@code site}
 * @param topic topic or filter; of requests and their answers the node that is meant
 * @param epoch of the stream, or the number of the session
 * @param sequence of the message, or the first one that is meant
 * @param mark the second number: where a receiver begins, or the last message that is meant
 * @param count which frame of the session it is, from 1, modulo 2^32; of frames that tell of a session 0, or 1 in
 *     a {@code STATUS} that wants one in return
 */
record Frame(Kind kind, String node, String topic, long epoch, long sequence, long mark, byte[] body, int count) {
    private static final byte[] EMPTY = {};

    /** Makes a frame without a body. */
    Frame(final Kind kind, final String node, final String topic, final long epoch, final long sequence,
            final long mark) {
        this(kind, node, topic, epoch, sequence, mark, EMPTY);
    }

    /** Makes a frame that is not on a link yet. */
    Frame(final Kind kind, final String node, final String topic, final long epoch, final long sequence,
            final long mark, final byte[] body) {
        this(kind, node, topic, epoch, sequence, mark, body, 0);
    }

    Frame counted(final int newCount) {
        return new Frame(kind, node, topic, epoch, sequence, mark, body, newCount);
    }

    StreamId stream() {
        return new StreamId(NodeName.of(node), new Topic(topic));
    }

    Frame as(final Kind other, final long otherMark) {
        return other == kind && otherMark == mark ? this
            : new Frame(other, node, topic, epoch, sequence, otherMark, body);
    }

    /** Returns the value as withdrawn by the proxy, in the place of its publisher. */
    Frame withdrawn() {
        return new Frame(kind, node, topic, epoch, sequence, mark);
    }

    /** Returns whether this last value follows another of its stream: a newer one, or the same withdrawn or back. */
    boolean follows(final Frame former) {
        return epoch > former.epoch || epoch == former.epoch
            && (sequence > former.sequence || sequence == former.sequence && isEmpty() != former.isEmpty());
    }

    boolean isEmpty() {
        return body.length == 0;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
