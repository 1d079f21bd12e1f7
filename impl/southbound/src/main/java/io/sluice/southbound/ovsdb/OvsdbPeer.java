// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.sluice.api.Batches;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of one Open vSwitch, over one connection: asks for the fail mode of its bridges, and sets it to secure
 * where the bridge is a switch of this controller; makes queues at its ports if they are wanted. Thread-safe.
 */
final class OvsdbPeer {
    private static final Logger LOG = LoggerFactory.getLogger(OvsdbPeer.class);
    private static final String DATABASE = "Open_vSwitch";
    private static final String BRIDGES = "Bridge";
    private static final String SECURE = "secure";
    /** Names of our requests, which the answers bear: the answer to CONFIRM changes nothing any more. */
    private static final String ASK = "ask";
    private static final String SET = "set";
    private static final String CONFIRM = "confirm";
    private static final String ASK_LEFT = "ask-left";
    private static final String ASK_QUEUES = "ask-queues";
    /** A port may follow. */
    private static final String SET_QUEUES = "set-queues";

    private final Consumer<JsonObject> out;
    private final Predicate<SwitchId> ours;
    private final BiConsumer<SwitchId, FailMode> listener;
    private final Supplier<Optional<WantedQueues>> queues;
    private final Map<SwitchId, FailMode> modes = new HashMap<>();
    private final Batches<OvsdbPeer> settlings = new Batches<>(callers -> compareQueues());
    private CompletableFuture<Void> settling = CompletableFuture.completedFuture(null);
    private int unanswered;
    private Map<PortId, Optional<String>> queuesFound = Map.of();

    /**
     * Starts a conversation.
     *
     * @param out sends a message
     * @param ours whether a switch is attached to this controller
     * @param listener is told of each change; that a switch's mode is UNKNOWN when the conversation ends
     * @param queues that ports should have; empty if that is not for this controller to say
     */
    OvsdbPeer(final Consumer<JsonObject> out, final Predicate<SwitchId> ours,
            final BiConsumer<SwitchId, FailMode> listener, final Supplier<Optional<WantedQueues>> queues) {
        this.out = out;
        this.ours = ours;
        this.listener = listener;
        this.queues = queues;
    }

    /** Asks for the modes, and makes the queues; to be repeated, since bridges, switches and what is wanted change. */
    void ask() {
        askModes();
        settle();
    }

    /**
     * Makes the queues as they should be, as far as it is for this controller to say. A database with many ports is not
     * asked for them all in vain. Completes when it has answered.
     *
     * @return its ports that should have queues, or none, each with what keeps it from that
     */
    CompletionStage<Map<PortId, Optional<String>>> settle() {
        return settlings.add(this).thenApply(settled -> queuesFound());
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
                case ASK_LEFT -> {
                    if (QueueRows.isAnyLeft(message.getAsJsonArray("result"))) {
                        request(ASK_QUEUES, QueueRows.questions());
                    } else {
                        settling.complete(null);
                    }
                }
                case ASK_QUEUES -> queues(message);
                case String name when name.startsWith(SET_QUEUES) -> queuesSet(name, message);
                default -> throw new IllegalArgumentException("nobody asked " + id);
            }
        }
    }

    /** The connection has ended. */
    synchronized void gone() {
        modes.keySet().forEach(switchId -> listener.accept(switchId, FailMode.UNKNOWN));
        modes.clear();
        queuesFound = Map.of();
        settling.complete(null);
    }

    private synchronized void askModes() {
        request(ASK, List.of(select()));
    }

    private synchronized Map<PortId, Optional<String>> queuesFound() {
        return Map.copyOf(queuesFound);
    }

    private synchronized CompletionStage<Void> compareQueues() {
        queuesFound = Map.of();
        settling = new CompletableFuture<>();
        final var wanted = queues.get();
        if (wanted.isEmpty()) {
            settling.complete(null);
        } else if (wanted.orElseThrow().isNone()) {
            request(ASK_LEFT, List.of(QueueRows.ofSluice()));
        } else {
            request(ASK_QUEUES, QueueRows.questions());
        }
        return settling;
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

    private void queues(final JsonObject answer) {
        final var rows = QueueRows.of(answer.getAsJsonArray("result"),
            id -> queues.get().flatMap(wanted -> wanted.at().apply(id)));
        queuesFound = new HashMap<>(rows.found());
        unanswered = rows.changes().size();
        rows.changes().forEach(change -> request(change.port().map(id -> SET_QUEUES + " " + id).orElse(SET_QUEUES),
            change.operations()));
        if (unanswered == 0) {
            settling.complete(null);
        }
    }

    private void queuesSet(final String name, final JsonObject answer) {
        final var refused = refused(answer);
        if (refused.isPresent()) {
            LOG.warn("ovsdb-queues-refused request=\"{}\" reason=\"{}\"", name, refused.orElseThrow());
            queuesFound.replaceAll((id, found) -> name.endsWith(" " + id) ? refused : found);
        }
        if (--unanswered == 0) {
            settling.complete(null);
        }
    }

    /** Why a database did not do what it was asked to; one operation that fails undoes the others. */
    private static Optional<String> refused(final JsonObject answer) {
        return StreamSupport.stream(answer.getAsJsonArray("result").spliterator(), false)
            .filter(one -> one.isJsonObject() && one.getAsJsonObject().has("error")).map(JsonElement::toString)
            .findFirst();
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
