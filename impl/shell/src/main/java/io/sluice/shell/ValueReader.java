// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Optional;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.schema.DataContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodes;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** Reads the words that follow a path into what they put there. */
final class ValueReader {
    private final Rfc7951 json;

    /** What the words come to. */
    sealed interface Value {
        /**
         * What they stand for.
         *
         * @param node complete, and as its model wants it
         */
        record Read(NormalizedNode node) implements Value { }

        /**
         * Nothing that the place can have.
         *
         * @param reason a sentence that names the path
         */
        record Wrong(String reason) implements Value { }
    }

    ValueReader(final SluiceModels models) {
        json = new Rfc7951(models.context());
    }

    Value read(final Change.Target target) {
        final var schema = target.place().schema();
        final var value = value(target.place(), target.values());
        if (value.isEmpty()) {
            return wrong(target, " takes " + wanted(target.place()) + "; see --help");
        }
        final Optional<NormalizedNode> node;
        try {
            node = node(target, value.orElseThrow());
        } catch (RuntimeException e) {
            return wrong(target, Misfit.of(schema, value.orElseThrow(), e));
        }
        return node.map(read -> lacking(schema, read)
                .<Value>map(name -> wrong(target, " lacks " + name))
                .orElseGet(() -> new Value.Read(read)))
            .orElseGet(() -> wrong(target, " has other keys than VALUE"));
    }

    private static Value wrong(final Change.Target target, final String reason) {
        return new Value.Wrong("'" + target.path() + "'" + reason);
    }

    private Optional<JsonElement> value(final DataPath.Found place, final List<String> words) {
        return switch (place.schema()) {
            case LeafSchemaNode leaf when TypeText.isEmpty(leaf) ->
                words.isEmpty() ? Optional.of(Rfc7951.array(JsonNull.INSTANCE)) : Optional.empty();
            case LeafSchemaNode leaf -> only(words).map(JsonPrimitive::new);
            case LeafListSchemaNode list -> words.isEmpty() ? Optional.empty() : Optional.of(elements(words));
            case ListSchemaNode list -> only(words).flatMap(Rfc7951::parse).flatMap(value -> entries(place, value));
            default -> only(words).flatMap(Rfc7951::parse).filter(JsonElement::isJsonObject);
        };
    }

    private static Optional<String> only(final List<String> words) {
        return words.size() == 1 ? Optional.of(words.getFirst()) : Optional.empty();
    }

    private static JsonArray elements(final List<String> words) {
        final var elements = new JsonArray();
        words.forEach(elements::add);
        return elements;
    }

    /** A whole list may be given by its only entry; an entry gets the keys that the path names. */
    private Optional<JsonElement> entries(final DataPath.Found place, final JsonElement value) {
        if (place.keys().isEmpty()) {
            return Optional.of(value.isJsonArray() ? value : Rfc7951.array(value));
        }
        if (!value.isJsonObject()) {
            return Optional.empty();
        }
        final var entry = members(place, place.keys().orElseThrow());
        value.getAsJsonObject().entrySet().forEach(member -> entry.add(member.getKey(), member.getValue()));
        return Optional.of(Rfc7951.array(entry));
    }

    private JsonObject members(final DataPath.Found place, final NodeIdentifierWithPredicates keys) {
        final var list = SchemaInferenceStack.ofInference(place.parent());
        list.enterDataTree(keys.getNodeType());
        return json.members(list.toInference(), keys.getNodeType().getNamespace(), keys.entrySet().stream()
            .map(key -> ImmutableNodes.leafNode(key.getKey(), key.getValue())).toList());
    }

    private static String wanted(final DataPath.Found place) {
        return switch (place.schema()) {
            case LeafSchemaNode leaf when TypeText.isEmpty(leaf) -> "no VALUE";
            case LeafSchemaNode leaf -> "one VALUE";
            case LeafListSchemaNode list -> "one VALUE or more";
            default -> Rfc7951.EXAMPLE;
        };
    }

    /** What the value is below its parent; empty if that is not where the path leads. */
    private Optional<NormalizedNode> node(final Change.Target target, final JsonElement value) {
        final var name = target.path().substring(target.path().lastIndexOf('/') + 1).split("=", 2)[0];
        final var members = new JsonObject();
        members.add(name, value);
        final var place = target.place();
        final var parent = json.container(place.parent(), NodeIdentifier.create(place.schema().getQName()), members);
        return NormalizedNodes.findNode(parent, place.inParent());
    }

    private static Optional<String> lacking(final DataSchemaNode schema, final NormalizedNode node) {
        return switch (node) {
            case DataContainerNode data -> Missing.in((DataNodeContainer) schema, data);
            case MapNode entries -> entries.body().stream()
                .flatMap(entry -> Missing.in((DataNodeContainer) schema, entry).stream()).findFirst();
            default -> Optional.empty();
        };
    }
}
