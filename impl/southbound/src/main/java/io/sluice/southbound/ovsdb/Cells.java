// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.sluice.api.SwitchId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Values and operations in the notation of RFC 7047, section 5. */
final class Cells {
    private Cells() {
        // functions only
    }

    /** The switch that a bridge is; nothing before it runs. */
    static Optional<SwitchId> switchId(final JsonObject bridge) {
        final var datapath = bridge.get("datapath_id");
        return datapath.isJsonPrimitive() ? Optional.of(new SwitchId("openflow:"
            + Long.toUnsignedString(Long.parseUnsignedLong(datapath.getAsString(), 16)))) : Optional.empty();
    }

    /** The elements of a set; one alone is written without its set. */
    static List<JsonElement> elements(final JsonElement set) {
        return set.isJsonArray() && "set".equals(set.getAsJsonArray().get(0).getAsString())
            ? set.getAsJsonArray().get(1).getAsJsonArray().asList() : List.of(set);
    }

    /** The pairs of a map. */
    static List<JsonArray> pairs(final JsonElement map) {
        return map.getAsJsonArray().get(1).getAsJsonArray().asList().stream().map(JsonElement::getAsJsonArray).toList();
    }

    static JsonArray array(final JsonElement... elements) {
        final var array = new JsonArray();
        List.of(elements).forEach(array::add);
        return array;
    }

    static JsonPrimitive text(final String text) {
        return new JsonPrimitive(text);
    }

    static JsonArray map(final List<JsonArray> pairs) {
        final var inner = new JsonArray();
        pairs.forEach(inner::add);
        return array(text("map"), inner);
    }

    static JsonArray map(final Map<String, String> pairs) {
        return map(pairs.entrySet().stream().sorted(Map.Entry.comparingByKey())
            .map(pair -> array(text(pair.getKey()), text(pair.getValue()))).toList());
    }

    /** An operation on the rows of a table for which {@code where} holds. */
    static JsonObject operation(final String name, final String table, final JsonArray where) {
        final var operation = new JsonObject();
        operation.addProperty("op", name);
        operation.addProperty("table", table);
        operation.add("where", where);
        return operation;
    }

    /** Lets a transaction pass only if a cell of a row is still what it was. */
    static JsonObject unchanged(final String table, final JsonElement uuid, final String column,
            final JsonElement value) {
        final var operation = operation("wait", table, is(uuid));
        operation.addProperty("timeout", 0);
        operation.add("columns", array(text(column)));
        operation.addProperty("until", "==");
        final var row = new JsonObject();
        row.add(column, value);
        operation.add("rows", array(row));
        return operation;
    }

    /** Asks for all rows. */
    static JsonObject select(final String table, final String... columns) {
        final var operation = operation("select", table, new JsonArray());
        operation.add("columns", array(List.of(columns).stream().map(Cells::text).toArray(JsonElement[]::new)));
        return operation;
    }

    /** Holds for one row. */
    static JsonArray is(final JsonElement uuid) {
        return array(array(text("_uuid"), text("=="), uuid));
    }
}
