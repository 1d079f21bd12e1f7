// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.sluice.api.SwitchId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The database of one Open vSwitch, over one connection: asks for the fail mode of its bridges, and sets it to secure
 * where the bridge is a switch of this controller. Thread-safe.
 */
final class OvsdbPeer {
    private static final String DATABASE = "Open_vSwitch";
    private static final String BRIDGES = "Bridge";
    private static final String SECURE = "secure";
    /** Names of our requests, which the answers bear: the answer to CONFIRM changes nothing any more. */
    private static final String ASK = "ask";
    private static final String SET = "set";
    private static final String CONFIRM = "confirm";

    private final Consumer<JsonObject> out;
    private final Predicate<SwitchId> ours;
    private final BiConsumer<SwitchId, FailMode> listener;
    private final Map<SwitchId, FailMode> modes = new HashMap<>();

    /**
     * Starts a conversation.
     *
     * @param out sends a message
     * @param ours whether a switch is attached to this controller
     * @param listener is told of each change; that a switch's mode is UNKNOWN when the conversation ends
     */
    OvsdbPeer(final Consumer<JsonObject> out, final Predicate<SwitchId> ours,
            final BiConsumer<SwitchId, FailMode> listener) {
        this.out = out;
        this.ours = ours;
        this.listener = listener;
    }

    /** Asks for the modes; to be repeated, since bridges and switches come and go. */
    synchronized void ask() {
        request(ASK, select());
    }

    /**
     * Takes a message.
     *
     * @throws RuntimeException if it is not what the protocol says
     */
    synchronized void received(final JsonObject message) {
        final var id = message.get("id");
        if (message.has("method")) {
            if ("echo".equals(message.get("method").getAsString())) {
                reply(id, message.get("params"));
            }
        } else if (id != null && id.isJsonPrimitive()) {
            switch (id.getAsString()) {
                case ASK -> bridges(message, true);
                case SET -> request(CONFIRM, select());
                case CONFIRM -> bridges(message, false);
                default -> throw new IllegalArgumentException("nobody asked " + id);
            }
        }
    }

    /** The connection has ended. */
    synchronized void gone() {
        modes.keySet().forEach(switchId -> listener.accept(switchId, FailMode.UNKNOWN));
        modes.clear();
    }

    private void bridges(final JsonObject answer, final boolean set) {
        final var rows = answer.getAsJsonArray("result").get(0).getAsJsonObject().getAsJsonArray("rows");
        for (var row : rows) {
            final var bridge = row.getAsJsonObject();
            final var datapath = bridge.get("datapath_id");
            if (!datapath.isJsonPrimitive()) {
                continue;
            }
            final var switchId = new SwitchId("openflow:"
                + Long.toUnsignedString(Long.parseUnsignedLong(datapath.getAsString(), 16)));
            if (ours.test(switchId)) {
                final var mode = mode(bridge.get("fail_mode"));
                if (mode != FailMode.SECURE && set) {
                    request(SET, secure(bridge.get("_uuid")));
                } else if (modes.put(switchId, mode) != mode) {
                    listener.accept(switchId, mode);
                }
            }
        }
    }

    /** An empty set stands for nothing set. */
    private static FailMode mode(final JsonElement cell) {
        return cell.isJsonPrimitive() && SECURE.equals(cell.getAsString()) ? FailMode.SECURE : FailMode.STANDALONE;
    }

    private static JsonObject select() {
        final var operation = operation("select", new JsonArray());
        operation.add("columns", array("_uuid", "datapath_id", "fail_mode"));
        return operation;
    }

    private static JsonObject secure(final JsonElement uuid) {
        final var condition = array("_uuid", "==");
        condition.add(uuid);
        final var where = new JsonArray();
        where.add(condition);
        final var operation = operation("update", where);
        final var row = new JsonObject();
        row.addProperty("fail_mode", SECURE);
        operation.add("row", row);
        return operation;
    }

    private static JsonObject operation(final String name, final JsonArray where) {
        final var operation = new JsonObject();
        operation.addProperty("op", name);
        operation.addProperty("table", BRIDGES);
        operation.add("where", where);
        return operation;
    }

    private void request(final String id, final JsonObject operation) {
        final var params = array(DATABASE);
        params.add(operation);
        final var message = new JsonObject();
        message.addProperty("id", id);
        message.addProperty("method", "transact");
        message.add("params", params);
        out.accept(message);
    }

    private void reply(final JsonElement id, final JsonElement result) {
        final var message = new JsonObject();
        message.add("id", id);
        message.add("result", result);
        message.add("error", JsonNull.INSTANCE);
        out.accept(message);
    }

    private static JsonArray array(final String... elements) {
        final var array = new JsonArray();
        List.of(elements).forEach(array::add);
        return array;
    }
}
