// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.model.api.ContainerLike;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;

/**
 * Data as text for reading, in the order of its model. A leaf is a line with its units; a list whose entries have
 * leaves alone is a table with the units in its head; anything deeper is indented.
 */
final class TextReport {
    private static final String INDENT = "  ";
    private static final String GAP = "  ";

    private final SluiceModels models;
    private final StringBuilder text = new StringBuilder();

    private TextReport(final SluiceModels models) {
        this.models = models;
    }

    /** What a container holds. */
    static String of(final SluiceModels models, final ContainerLike schema, final JsonObject members) {
        final var report = new TextReport(models);
        report.members("", models.fields(schema), members);
        return report.text.toString().stripTrailing();
    }

    /** One node, with its name. */
    static String of(final SluiceModels models, final DataSchemaNode schema, final JsonElement value) {
        final var report = new TextReport(models);
        report.node("", schema.getQName().getLocalName(), schema, value);
        return report.text.toString().stripTrailing();
    }

    private void members(final String indent, final Map<String, DataSchemaNode> fields, final JsonObject members) {
        fields.forEach((name, schema) -> {
            if (members.has(name)) {
                node(indent, name, schema, members.get(name));
            }
        });
    }

    private void node(final String indent, final String name, final DataSchemaNode schema, final JsonElement value) {
        switch (schema) {
            case ContainerLike container -> {
                line(indent, name);
                members(indent + INDENT, models.fields(container), value.getAsJsonObject());
            }
            case ListSchemaNode list -> list(indent, name, list, value.getAsJsonArray());
            case TypedDataSchemaNode leaf -> line(indent, name + ": " + plain(leaf, value) + units(leaf, " ", ""));
            default -> line(indent, name + ": " + value);
        }
    }

    private void list(final String indent, final String name, final ListSchemaNode schema, final JsonArray array) {
        final var fields = models.fields(schema);
        final var keys = schema.getKeyDefinition().stream().map(QName::getLocalName).toList();
        final var entries = StreamSupport.stream(array.spliterator(), false).map(JsonElement::getAsJsonObject)
            .sorted(schema.isUserOrdered() ? (left, right) -> 0
                : Comparator.comparing(entry -> title(keys, entry), new NumbersInOrder()))
            .toList();
        final var columns = fields.entrySet().stream()
            .filter(field -> entries.stream().anyMatch(entry -> entry.has(field.getKey()))).toList();
        if (columns.stream().allMatch(column -> column.getValue() instanceof TypedDataSchemaNode)) {
            line(indent, name);
            table(indent + INDENT, columns, entries);
            return;
        }
        for (var entry : entries) {
            line(indent, (name + " " + title(keys, entry)).strip());
            final var rest = entry.deepCopy();
            keys.forEach(rest::remove);
            members(indent + INDENT, fields, rest);
        }
    }

    private static String title(final List<String> keys, final JsonObject entry) {
        return keys.stream().map(key -> entry.get(key).getAsString()).collect(Collectors.joining(" "));
    }

    private void table(final String indent, final List<Map.Entry<String, DataSchemaNode>> columns,
            final List<JsonObject> entries) {
        final var rows = new ArrayList<List<String>>();
        rows.add(columns.stream()
            .map(column -> column.getKey() + units((TypedDataSchemaNode) column.getValue(), " [", "]")).toList());
        entries.forEach(entry -> rows.add(columns.stream()
            .map(column -> entry.has(column.getKey())
                ? plain(column.getValue(), entry.get(column.getKey())) : "-").toList()));
        final var widths = IntStream.range(0, columns.size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0)).toArray();
        for (var row : rows) {
            line(indent, IntStream.range(0, row.size())
                .mapToObj(column -> row.get(column) + " ".repeat(widths[column] - row.get(column).length()))
                .collect(Collectors.joining(GAP)));
        }
    }

    private static String units(final TypedDataSchemaNode leaf, final String before, final String after) {
        return leaf.getType().getUnits().map(units -> before + units + after).orElse("");
    }

    /** A leaf's value without quotes, those of a leaf-list with commas between them; "set" for a leaf without one. */
    private static String plain(final DataSchemaNode leaf, final JsonElement value) {
        if (!(value instanceof JsonArray values)) {
            return value.getAsString();
        }
        final var texts = StreamSupport.stream(values.spliterator(), false)
            .map(element -> element.isJsonNull() ? "set" : element.getAsString());
        return (leaf instanceof LeafListSchemaNode list && !list.isUserOrdered() ? texts.sorted(new NumbersInOrder())
            : texts).collect(Collectors.joining(", "));
    }

    private void line(final String indent, final String content) {
        text.append((indent + content).stripTrailing()).append('\n');
    }
}
