// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.TaskPair;
import java.util.List;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.ByteBufAllocator;

/**
 * Messages on the wire, as Storm's own server reads them: task (16 bits), length of the payload (32 bits), payload.
 *
 * <p>A payload is a tuple as {@code KryoTupleSerializer} writes it. It begins with the number of the task that sent it,
 * in groups of seven bits, the lowest first, with the eighth bit set in all but the last.
 */
final class Frames {
    private static final int HEADER_BYTES = Short.BYTES + Integer.BYTES;
    private static final int GROUP_BITS = 7;
    private static final int GROUP = 0x7f;

    private Frames() {
        // functions
    }

    static int bytes(final TaskMessage message) {
        return HEADER_BYTES + message.message().length;
    }

    /** Writes messages of so many {@code bytes} together. */
    static ByteBuf encode(final List<TaskMessage> messages, final int bytes, final ByteBufAllocator allocator) {
        final var out = allocator.directBuffer(bytes);
        for (var message : messages) {
            out.writeShort(message.task());
            out.writeInt(message.message().length);
            out.writeBytes(message.message());
        }
        return out;
    }

    /** The tasks between which a message goes; one without a source is the system's. */
    static TaskPair pair(final TaskMessage message) {
        final byte[] payload = message.message();
        int source = 0;
        for (int at = 0; at < payload.length && at * GROUP_BITS < Integer.SIZE; at++) {
            source |= (payload[at] & GROUP) << at * GROUP_BITS;
            if (payload[at] >= 0) {
                return new TaskPair(source, message.task());
            }
        }
        return new TaskPair(TaskPair.SYSTEM, message.task());
    }
}
