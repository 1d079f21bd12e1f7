// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Frames as octets, big-endian:
 * <pre>
 *  0         1         2             3              4                              8
 *  +---------+---------+-------------+--------------+------------------------------+
 *  | version | kind    | node length | topic length | count                        |
 *  +---------+---------+-------------+--------------+------------------------------+
 *  | epoch                                                                         | 8
 *  | sequence                                                                      | 16
 *  | mark                                                                          | 24
 *  +---------------------------------+---------------------------------------------+
 *  | node (ASCII)                    | topic (ASCII)           | body (UTF-8)      | 32
 * </pre>
 */
final class FrameCodec {
    /** The version that this speaks. */
    static final int VERSION = 1;
    /** Octets before the node. */
    static final int HEADER_SIZE = 32;
    /** The longest body, in octets. */
    static final int BODY_LIMIT = 1 << 20;
    /** The longest frame, in octets. */
    static final int FRAME_LIMIT = HEADER_SIZE + 255 + 255 + BODY_LIMIT;

    private FrameCodec() {
        // functions only
    }

    /** What octets mean. */
    sealed interface Decoded {
        record Valid(Frame frame) implements Decoded { }

        /** They are no frame; the reason names the field. */
        record Invalid(String reason) implements Decoded { }
    }

    static byte[] encode(final Frame frame) {
        final byte[] node = frame.node().getBytes(StandardCharsets.US_ASCII);
        final byte[] topic = frame.topic().getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(HEADER_SIZE + node.length + topic.length + frame.body().length)
            .put((byte) VERSION).put((byte) frame.kind().number())
            .put((byte) node.length).put((byte) topic.length).putInt(frame.count())
            .putLong(frame.epoch()).putLong(frame.sequence()).putLong(frame.mark())
            .put(node).put(topic).put(frame.body()).array();
    }

    static Decoded decode(final byte[] octets) {
        if (octets.length < HEADER_SIZE) {
            return new Decoded.Invalid("shorter than a header: " + octets.length + " octets");
        }
        final var in = ByteBuffer.wrap(octets);
        final int version = in.get();
        if (version != VERSION) {
            return new Decoded.Invalid("version " + version);
        }
        final int number = in.get();
        final var kind = Kind.of(number);
        if (kind.isEmpty()) {
            return new Decoded.Invalid("kind " + number);
        }
        final int nodeLength = Byte.toUnsignedInt(in.get());
        final int topicLength = Byte.toUnsignedInt(in.get());
        final int count = in.getInt();
        final int bodyLength = octets.length - HEADER_SIZE - nodeLength - topicLength;
        if (bodyLength < 0 || bodyLength > BODY_LIMIT) {
            return new Decoded.Invalid("node of %d and topic of %d in a frame of %d octets"
                .formatted(nodeLength, topicLength, octets.length));
        }
        final long epoch = in.getLong();
        final long sequence = in.getLong();
        final long mark = in.getLong();
        final var frame = new Frame(kind.orElseThrow(), text(in, nodeLength), text(in, topicLength), epoch, sequence,
            mark, rest(in, bodyLength), count);
        return check(frame);
    }

    private static String text(final ByteBuffer in, final int length) {
        return new String(rest(in, length), StandardCharsets.ISO_8859_1);
    }

    private static byte[] rest(final ByteBuffer in, final int length) {
        final byte[] octets = new byte[length];
        in.get(octets);
        return octets;
    }

    private static Decoded check(final Frame frame) {
        if (frame.epoch() < 0 || frame.sequence() < 0 || frame.mark() < 0) {
            return new Decoded.Invalid("a number above 2^63 - 1");
        }
        try {
            checkNames(frame);
        } catch (IllegalArgumentException e) {
            return new Decoded.Invalid(e.getMessage());
        }
        return checkNumbers(frame);
    }

    private static void checkNames(final Frame frame) {
        switch (frame.kind()) {
            case HELLO, WELCOME -> checkNodeOrSite(frame.node());
            case AGAIN, STATUS -> { }
            case SUBSCRIBE, UNSUBSCRIBE -> new TopicFilter(frame.topic());
            case DATA, REPLAY, REPLAYED, GAP -> {
                NodeName.of(frame.node());
                new Topic(frame.topic());
            }
            case REQUEST, REPLY -> {
                NodeName.of(frame.node());
                NodeName.of(frame.topic());
            }
            case REFUSED -> {
                checkNodeOrSite(frame.node());
                NodeName.of(frame.topic());
            }
            default -> throw new IllegalStateException("kind without names: " + frame.kind());
        }
    }

    private static void checkNodeOrSite(final String node) {
        if (node.indexOf('/') < 0) {
            NodeName.checkSite(node);
        } else {
            NodeName.of(node);
        }
    }

    private static Decoded checkNumbers(final Frame frame) {
        final boolean valid = switch (frame.kind()) {
            case DATA, REPLAYED -> frame.sequence() >= 1 && frame.mark() >= 1 && frame.mark() <= frame.sequence();
            case REPLAY, GAP -> frame.sequence() >= 1 && frame.mark() >= frame.sequence();
            default -> true;
        };
        return valid ? new Decoded.Valid(frame)
            : new Decoded.Invalid("sequence %d with mark %d".formatted(frame.sequence(), frame.mark()));
    }
}
