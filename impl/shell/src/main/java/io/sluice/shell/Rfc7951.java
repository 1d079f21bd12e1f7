// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Optional;
import org.opendaylight.yangtools.yang.common.XMLNamespace;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.stream.NormalizedNodeWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactory;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.EffectiveStatementInference;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** Data of a model to JSON and back, as in RFC 7951: JSON Encoding of Data Modeled with YANG. */
final class Rfc7951 {
    private static final Gson PRETTY = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls()
        .create();

    /** What to say to somebody whose text is not JSON. */
    static final String EXAMPLE = "JSON, for instance '{\"name\": \"value\"}' with the single quotes";

    private final JSONCodecFactory codecs;

    Rfc7951(final EffectiveModelContext context) {
        codecs = JSONCodecFactorySupplier.RFC7951.getShared(context);
    }

    static String print(final JsonElement json) {
        return PRETTY.toJson(json);
    }

    /** Reads an object or an array; empty if it is neither. */
    static Optional<JsonElement> parse(final String text) {
        try {
            return Optional.of(JsonParser.parseString(text))
                .filter(json -> json.isJsonObject() || json.isJsonArray());
        } catch (JsonParseException e) {
            return Optional.empty();
        }
    }

    /** An array of one element. */
    static JsonArray array(final JsonElement element) {
        final var array = new JsonArray();
        array.add(element);
        return array;
    }

    /**
     * Reads the members of a container.
     *
     * @throws RuntimeException of one of many kinds, if they are not what the model asks for
     */
    ContainerNode container(final EffectiveStatementInference container, final NodeIdentifier name,
            final JsonObject members) {
        final var builder = ImmutableNodes.newContainerBuilder().withNodeIdentifier(name);
        try (var writer = ImmutableNormalizedNodeStreamWriter.from(builder);
                var parser = JsonParserStream.create(writer, codecs, container)) {
            parser.parse(new JsonReader(new StringReader(members.toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return builder.build();
    }

    /** Reads a leaf's value; throws like {@link #container}. */
    Object value(final LeafSchemaNode leaf, final SchemaInferenceStack stack, final String text) {
        return codecs.codecFor(leaf, stack).parseValue(null, text);
    }

    /**
     * Writes children of a node as members of an object.
     *
     * @param parent the node
     * @param namespace children of this namespace are named without their module
     */
    JsonObject members(final EffectiveStatementInference parent, final XMLNamespace namespace,
            final Collection<? extends NormalizedNode> children) {
        final var text = new StringWriter();
        try (var json = new JsonWriter(text)) {
            json.beginObject();
            final var stream = JSONNormalizedNodeStreamWriter.createNestedWriter(codecs, parent, namespace, json);
            try (var writer = NormalizedNodeWriter.forStreamWriter(stream)) {
                for (var child : children) {
                    writer.write(child);
                }
            }
            json.endObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return JsonParser.parseString(text.toString()).getAsJsonObject();
    }
}
