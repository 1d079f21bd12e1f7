// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.southbound.decoders.TableQuestions;
import io.sluice.southbound.program.FlowTables.Field;
import io.sluice.southbound.program.FlowTables.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.opendaylight.openflowjava.protocol.impl.deserialization.DeserializerRegistryImpl;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.multipart.reply.multipart.reply.body.MultipartReplyTableFeaturesCase;

class TableFeaturesDecoderTest {
    private static final int ETH_TYPE = 5 << 1;
    private static final int IPV4_DST_MASKED = 12 << 1 | 1;
    private static final Table PLAIN = new Table(1000, Optional.empty(), Optional.empty());

    private final TableQuestions questions = new TableQuestions();
    private final TableFeaturesDecoder decoder = new TableFeaturesDecoder(questions);
    private final List<CompletableFuture<Long>> sent = new ArrayList<>();

    TableFeaturesDecoderTest() {
        final var registry = new DeserializerRegistryImpl();
        registry.init();
        decoder.injectDeserializerRegistry(registry);
    }

    @Test
    void anAnswerInPartsIsRead() {
        final var answer = ask();
        receive(7, table(0, 1000, property(8, openFlow(ETH_TYPE), experimenters(), openFlow(IPV4_DST_MASKED)),
            property(14, nicira(3), openFlow(ETH_TYPE))), table(1, 1000));
        receive(7, table(2, 64, property(8)));
        sent.getFirst().complete(7L);

        assertEquals(Map.of(0, new Table(1000, Optional.of(Set.of(Field.ETH_TYPE, Field.IPV4_DST)),
            Optional.of(Set.of(Field.ETH_TYPE))), 1, PLAIN, 2, new Table(64, Optional.of(Set.of()), Optional.empty())),
            answer.join());
    }

    @Test
    void oneSwitchIsAskedAtATime() {
        final var one = ask();
        final var two = ask();
        assertEquals(1, sent.size());

        receive(7, table(0, 1000));
        sent.getFirst().complete(7L);
        assertEquals(Map.of(0, PLAIN), one.join());
        assertEquals(2, sent.size());

        sent.getLast().complete(7L);
        assertEquals(Map.of(), two.join());
        assertFalse(questions.isAsked());
    }

    @Test
    void anotherTransactionIsNotTheAnswer() {
        final var answer = ask();
        receive(6, table(0, 1000));
        sent.getFirst().complete(7L);
        assertEquals(Map.of(), answer.join());
    }

    @Test
    void nobodyKnowsWhoseTwoAnswersAre() {
        final var answer = ask();
        receive(7, table(0, 1000));
        receive(7, table(0, 64));
        sent.getFirst().complete(7L);
        assertEquals(Map.of(), answer.join());
    }

    @Test
    void aCutOffAnswerEndsAtOnce() {
        ask();
        final var whole = message(7, table(0, 1000, property(8, openFlow(ETH_TYPE), experimenters())));
        for (int length = 13; length < whole.readableBytes(); length++) {
            final var cut = whole.slice(0, length);
            assertThrows(IndexOutOfBoundsException.class, () -> decoder.deserialize(cut));
        }
    }

    @Test
    void manyQuestionsThatFailBehindASlowOneEnd() {
        ask();
        final var failing = IntStream.range(0, 10_000).mapToObj(i -> questions.ask(() -> {
            throw new IllegalStateException("not connected");
        })).toList();
        sent.getFirst().complete(7L);
        assertTrue(failing.stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    @Test
    void aQuestionThatFailsLetsTheNextBegin() {
        final var failing = questions.ask(() -> {
            throw new IllegalStateException("not connected");
        });
        assertEquals("not connected",
            assertThrows(CompletionException.class, failing::join).getCause().getMessage());
        ask();
        assertEquals(1, sent.size());
    }

    @Test
    void whatOthersAskedStaysAsItIs() {
        assertEquals(1, receive(7, table(0, 1000)));
        ask();
        assertEquals(0, receive(7, table(0, 1000)));
    }

    private CompletableFuture<Map<Integer, Table>> ask() {
        return questions.ask(() -> {
            sent.add(new CompletableFuture<>());
            return sent.getLast();
        });
    }

    /** Returns how many tables the plugin gets to see. */
    private int receive(final int transaction, final ByteBuf... tables) {
        final var body = ((MultipartReplyTableFeaturesCase) decoder.deserialize(message(transaction, tables))
            .getMultipartReplyBody()).getMultipartReplyTableFeatures();
        return body.nonnullTableFeatures().size();
    }

    private static ByteBuf message(final int transaction, final ByteBuf... tables) {
        return Unpooled.buffer().writeInt(transaction).writeShort(12).writeShort(0).writeInt(0)
            .writeBytes(Unpooled.wrappedBuffer(tables));
    }

    private static ByteBuf table(final int number, final int room, final ByteBuf... properties) {
        final var all = Unpooled.wrappedBuffer(properties);
        return Unpooled.buffer().writeShort(64 + all.readableBytes()).writeByte(number).writeZero(5)
            .writeBytes("classifier".getBytes(StandardCharsets.US_ASCII)).writeZero(22).writeZero(16).writeInt(3)
            .writeInt(room).writeBytes(all);
    }

    private static ByteBuf property(final int type, final ByteBuf... fields) {
        final var all = Unpooled.wrappedBuffer(fields);
        final int length = 4 + all.readableBytes();
        return Unpooled.buffer().writeShort(type).writeShort(length).writeBytes(all).writeZero((8 - length % 8) % 8);
    }

    private static ByteBuf openFlow(final int codeAndMask) {
        return Unpooled.buffer().writeShort(0x8000).writeByte(codeAndMask).writeByte(4);
    }

    private static ByteBuf nicira(final int code) {
        return Unpooled.buffer().writeShort(1).writeByte(code << 1).writeByte(4);
    }

    private static ByteBuf experimenters() {
        return Unpooled.buffer().writeShort(0xffff).writeByte(ETH_TYPE).writeByte(8).writeInt(0x4f4e4600);
    }
}
