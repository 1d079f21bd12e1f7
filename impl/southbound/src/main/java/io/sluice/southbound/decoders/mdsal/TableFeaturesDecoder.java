// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders.mdsal;

import io.netty.buffer.ByteBuf;
import io.sluice.southbound.decoders.TableQuestions;
import io.sluice.southbound.program.FlowTables.Field;
import io.sluice.southbound.program.FlowTables.Table;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistry;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistryInjector;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFDeserializer;
import org.opendaylight.openflowjava.protocol.impl.deserialization.factories.MultipartReplyMessageFactory;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.types.rev130731.MultipartRequestFlags;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.common.types.rev130731.MultipartType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.MultipartReplyMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.MultipartReplyMessageBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.multipart.reply.multipart.reply.body.MultipartReplyTableFeaturesCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.multipart.reply.multipart.reply.body.multipart.reply.table.features._case.MultipartReplyTableFeaturesBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

/**
 * What a switch says of its flow tables (OpenFlow 1.3.5, section 7.3.5.5) if it was asked by {@link TableQuestions},
 * which then gets it instead of the plugin. Other replies, and what others asked, are as the library reads them.
 */
final class TableFeaturesDecoder implements OFDeserializer<MultipartReplyMessage>, DeserializerRegistryInjector {
    private static final int TABLE_FEATURES = 12;
    private static final int MORE = 1;
    private static final int MATCH = 8;
    private static final int APPLY_SET_FIELD = 14;
    /** Class of the fields of OpenFlow itself. */
    private static final int OPENFLOW_BASIC = 0x8000;
    /** Class of fields with 4 more bytes that say whose they are. */
    private static final int EXPERIMENTER = 0xffff;
    private static final int ALIGNMENT = 8;

    private final MultipartReplyMessageFactory others = new MultipartReplyMessageFactory();
    private final TableQuestions questions;

    TableFeaturesDecoder(final TableQuestions questions) {
        this.questions = questions;
    }

    @Override
    public void injectDeserializerRegistry(final DeserializerRegistry registry) {
        others.injectDeserializerRegistry(registry);
    }

    /** Takes a message from its transaction number on. */
    @Override
    public MultipartReplyMessage deserialize(final ByteBuf message) {
        final int type = message.getUnsignedShort(message.readerIndex() + Integer.BYTES);
        if (type != TABLE_FEATURES || !questions.isAsked()) {
            return others.deserialize(message);
        }
        final var transaction = Uint32.fromIntBits(message.readInt());
        message.skipBytes(Short.BYTES);
        final boolean isMore = (message.readUnsignedShort() & MORE) != 0;
        message.skipBytes(Integer.BYTES);
        questions.answer(transaction.toJava(), tables(message));
        return new MultipartReplyMessageBuilder().setVersion(Decoders.OPENFLOW_13).setXid(transaction)
            .setType(MultipartType.OFPMPTABLEFEATURES).setFlags(new MultipartRequestFlags(isMore))
            .setMultipartReplyBody(new MultipartReplyTableFeaturesCaseBuilder().setMultipartReplyTableFeatures(
                new MultipartReplyTableFeaturesBuilder().setTableFeatures(List.of()).build()).build()).build();
    }

    private static Map<Integer, Table> tables(final ByteBuf message) {
        final var tables = new HashMap<Integer, Table>();
        while (message.isReadable()) {
            final int length = message.getUnsignedShort(message.readerIndex());
            final var table = message.readSlice(length).skipBytes(Short.BYTES);
            final int number = table.readUnsignedByte();
            table.skipBytes(5 + 32 + 2 * Long.BYTES + Integer.BYTES);
            tables.put(number, table(table.readUnsignedInt(), table));
        }
        return tables;
    }

    private static Table table(final long room, final ByteBuf properties) {
        Optional<Set<Field>> matches = Optional.empty();
        Optional<Set<Field>> sets = Optional.empty();
        while (properties.isReadable()) {
            final int type = properties.readUnsignedShort();
            final int length = properties.readUnsignedShort();
            final var fields = properties.readSlice(length - 2 * Short.BYTES);
            properties.skipBytes(Math.min(-length & ALIGNMENT - 1, properties.readableBytes()));
            switch (type) {
                case MATCH -> matches = Optional.of(fields(fields));
                case APPLY_SET_FIELD -> sets = Optional.of(fields(fields));
                default -> { }
            }
        }
        return new Table(room, matches, sets);
    }

    private static Set<Field> fields(final ByteBuf headers) {
        final var fields = EnumSet.noneOf(Field.class);
        while (headers.isReadable()) {
            final int owner = headers.readUnsignedShort();
            final int code = headers.readUnsignedByte() >> 1;
            headers.skipBytes(owner == EXPERIMENTER ? 1 + Integer.BYTES : 1);
            if (owner == OPENFLOW_BASIC && code < Field.values().length) {
                fields.add(Field.values()[code]);
            }
        }
        return fields;
    }
}
