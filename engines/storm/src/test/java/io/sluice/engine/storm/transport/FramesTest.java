// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.esotericsoftware.kryo.io.Output;
import io.sluice.engine.storm.TaskPair;
import java.nio.ByteBuffer;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
    /** A message as Storm's serializer begins it. */
    static TaskMessage message(final int source, final int destination, final int bytes) {
        final var out = new Output(bytes + 5);
        out.writeInt(source, true);
        return new TaskMessage(destination, java.util.Arrays.copyOf(out.toBytes(), bytes));
    }

    /** A message with a number in its last bytes. */
    static TaskMessage numbered(final TaskPair pair, final int bytes, final int number) {
        final var message = message(pair.source(), pair.destination(), bytes);
        ByteBuffer.wrap(message.message()).putInt(bytes - Integer.BYTES, number);
        return message;
    }

    static int number(final TaskMessage message) {
        return ByteBuffer.wrap(message.message()).getInt(message.message().length - Integer.BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 127, 128, 16_383, 16_384, 32_767, Integer.MAX_VALUE})
    void theTaskThatSentIsReadFromTheTuple(final int source) {
        assertEquals(new TaskPair(source, 7), Frames.pair(message(source, 7, 20)));
    }

    @Test
    void aTupleThatIsCutOffIsTheSystems() {
        assertEquals(new TaskPair(TaskPair.SYSTEM, 7), Frames.pair(message(16_384, 7, 2)));
        assertEquals(new TaskPair(TaskPair.SYSTEM, 7), Frames.pair(new TaskMessage(7, new byte[0])));
    }
}
