// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.ovsdb.QueueTalk.Look;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The database of one Open vSwitch, over one connection: asks for the fail mode of its bridges, and sets it to secure
 * where the bridge is a switch of this controller; has a {@link QueueTalk} about the queues of its ports. Thread-safe.
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
    private final QueueTalk queues;
    private final Map<SwitchId, FailMode> modes = new HashMap<>();

    /**
     * Starts a conversation.
     *
     * @param out sends a message
     * @param ours whether a switch is attached to this controller
     * @param listener is told of each change; that a switch's mode is UNKNOWN when the conversation ends
     * @param wanted queues that ports should have; empty if that is not for this controller to say
     * @param capacities of ports, as far as they are known
     */
    OvsdbPeer(final Consumer<JsonObject> out, final Predicate<SwitchId> ours,
            final BiConsumer<SwitchId, FailMode> listener, final Supplier<Optional<WantedQueues>> wanted,
            final Function<PortId, Optional<Bandwidth>> capacities) {
        this.out = out;
        this.ours = ours;
        this.listener = listener;
        queues = new QueueTalk(this::request, wanted, ours, capacities);
    }

    /** Asks for the modes, and makes the queues; to be repeated, since bridges, switches and what is wanted change. */
    void ask() {
        request(ASK, List.of(select()));
        settle();
    }

    /** Makes the queues as they should be; completes when the database has answered, or is gone. */
    CompletionStage<Look> settle() {
        return queues.look();
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
                case SET -> request(CONFIRM, List.of(select()));
                case CONFIRM -> bridges(message, false);
                case String name when QueueTalk.isNamed(name) -> queues.received(name, message);
                default -> throw new IllegalArgumentException("nobody asked " + id);
            }
        }
    }

    /** The connection has ended. */
    synchronized void gone() {
        modes.keySet().forEach(switchId -> listener.accept(switchId, FailMode.UNKNOWN));
        modes.clear();
        queues.end();
    }

    private void bridges(final JsonObject answer, final boolean set) {
        final var rows = answer.getAsJsonArray("result").get(0).getAsJsonObject().getAsJsonArray("rows");
        for (var row : rows) {
            final var bridge = row.getAsJsonObject();
            Cells.switchId(bridge).filter(ours).ifPresent(switchId -> {
                final var mode = mode(bridge.get("fail_mode"));
                if (mode != FailMode.SECURE && set) {
                    request(SET, List.of(secure(bridge.get("_uuid"))));
                } else if (modes.put(switchId, mode) != mode) {
                    listener.accept(switchId, mode);
                }
            });
        }
    }

    /** An empty set stands for nothing set. */
    private static FailMode mode(final JsonElement cell) {
        return cell.isJsonPrimitive() && SECURE.equals(cell.getAsString()) ? FailMode.SECURE : FailMode.STANDALONE;
    }

    private static JsonObject select() {
        return Cells.select(BRIDGES, "_uuid", "datapath_id", "fail_mode");
    }

    private static JsonObject secure(final JsonElement uuid) {
        final var operation = Cells.operation("update", BRIDGES, Cells.is(uuid));
        final var row = new JsonObject();
        row.addProperty("fail_mode", SECURE);
        operation.add("row", row);
        return operation;
    }

    private void request(final String id, final List<JsonObject> operations) {
        final var params = Cells.array(Cells.text(DATABASE));
        operations.forEach(params::add);
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
}
