// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import static io.sluice.southbound.ovsdb.Cells.array;
import static io.sluice.southbound.ovsdb.Cells.is;
import static io.sluice.southbound.ovsdb.Cells.map;
import static io.sluice.southbound.ovsdb.Cells.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Queues in the database of an Open vSwitch (ovs-vswitchd.conf.db(5)): a QoS of HTB for each port. Rows of Sluice's
 * tell in an external id what they were made for; what has none is not touched.
 */
final class QueueRows {
    private static final String MARK = "sluice-queues";
    /** Of a bridge whose owner has filters put packets into the queues that entries pick. */
    private static final String FILTERED = "sluice-queue-filters";
    private static final String USERSPACE = "netdev";
    private static final String EXTERNAL_IDS = "external_ids";
    private static final String IGNORED = "the userspace datapath ignores the queues that entries pick; have filters of"
        + " tc put packets into them and set external_ids:" + FILTERED + "=true of the bridge, or want none there";
    private static final String QUEUES = "queues";
    private static final String QOS = "QoS";
    private static final String QUEUE = "Queue";
    private static final String PORT = "Port";
    private static final String QOS_OF_PORT = "qos";

    private final BiFunction<PortId, Optional<String>, Optional<QueueSet>> wanted;
    private final List<Change> changes = new ArrayList<>();
    private final Set<SwitchId> switches = new HashSet<>();
    private final Map<PortId, Optional<String>> found = new HashMap<>();
    private Map<JsonElement, JsonObject> ports = Map.of();
    private Map<JsonElement, JsonObject> interfaces = Map.of();
    private Map<JsonElement, JsonObject> qualities = Map.of();

    /**
     * A transaction.
     *
     * @param port that it changes; empty if it only cleans up
     */
    record Change(Optional<PortId> port, List<JsonObject> operations) {
        Change {
            operations = List.copyOf(operations);
        }
    }

    private QueueRows(final BiFunction<PortId, Optional<String>, Optional<QueueSet>> wanted) {
        this.wanted = wanted;
    }

    /** Asks for the rows that may be Sluice's. */
    static JsonObject ofSluice() {
        return Cells.select(QOS, EXTERNAL_IDS);
    }

    /** Whether there are rows of Sluice's, by the answer. */
    static boolean isAnyLeft(final JsonArray answers) {
        return rows(answers, 0).stream().anyMatch(quality -> mark(quality).isPresent());
    }

    /** What must be known to change them. */
    static List<JsonObject> questions() {
        return List.of(Cells.select("Bridge", "datapath_id", "datapath_type", EXTERNAL_IDS, "ports"),
            Cells.select(PORT, "_uuid", "interfaces", QOS_OF_PORT), Cells.select("Interface", "_uuid", "ofport"),
            Cells.select(QOS, "_uuid", EXTERNAL_IDS, QUEUES));
    }

    /**
     * Compares a database with what should be there.
     *
     * @param answers to the questions
     * @param wanted what a port should have, by the mark of the queues of Sluice's that it has; empty for one that
     *     stays as it is
     */
    static QueueRows of(final JsonArray answers,
            final BiFunction<PortId, Optional<String>, Optional<QueueSet>> wanted) {
        final var rows = new QueueRows(wanted);
        rows.ports = byUuid(answers, 1);
        rows.interfaces = byUuid(answers, 2);
        rows.qualities = byUuid(answers, 3);
        rows(answers, 0).forEach(rows::bridge);
        rows.forsaken().forEach(quality -> rows.changes.add(new Change(Optional.empty(), rows.deletion(quality))));
        return rows;
    }

    /**
     * What makes the queues as they should be; nothing if they are. There is a transaction for each port, so that one
     * that can't be changed keeps no other from it, and one for each QoS that no port has any more, since its port has
     * another or is gone.
     */
    List<Change> changes() {
        return changes;
    }

    /** The bridges. */
    Set<SwitchId> switches() {
        return switches;
    }

    /** The ports that should have queues, or none, each with what keeps it from that for good. */
    Map<PortId, Optional<String>> found() {
        return found;
    }

    /** Each QoS of Sluice's that no port has. */
    private List<JsonElement> forsaken() {
        final var held = ports.values().stream().flatMap(port -> Cells.elements(port.get(QOS_OF_PORT)).stream())
            .collect(Collectors.toSet());
        return qualities.entrySet().stream().filter(quality -> mark(quality.getValue()).isPresent())
            .map(Map.Entry::getKey).filter(uuid -> !held.contains(uuid)).toList();
    }

    private void bridge(final JsonObject bridge) {
        Cells.switchId(bridge).ifPresent(switchId -> {
            switches.add(switchId);
            final var ignored = Optional.of(IGNORED).filter(reason -> ignoresQueues(bridge));
            Cells.elements(bridge.get("ports")).forEach(uuid -> number(ports.get(uuid))
                .map(number -> new PortId(switchId, number)).ifPresent(id -> wanted.apply(id, mark(uuid))
                    .ifPresent(queues -> found.put(id, ignored.isPresent() && !queues.queues().isEmpty()
                        ? port(id, uuid, QueueSet.NONE).or(() -> ignored) : port(id, uuid, queues)))));
        });
    }

    private static boolean ignoresQueues(final JsonObject bridge) {
        return USERSPACE.equals(bridge.get("datapath_type").getAsString())
            && !Optional.of("true").equals(externalId(bridge, FILTERED));
    }

    /** The number of a port in OpenFlow; nothing for a bond, which has none, and for one that is not there yet. */
    private Optional<Long> number(final JsonObject port) {
        return Cells.elements(port.get("interfaces")).stream().limit(2).map(interfaces::get)
            .map(one -> Cells.elements(one.get("ofport"))).filter(set -> !set.isEmpty())
            .map(set -> set.getFirst().getAsLong()).filter(number -> number > 0)
            .reduce((one, other) -> -1L).filter(number -> number > 0);
    }

    /** Has a port changed if need be; returns why that can't be. */
    private Optional<String> port(final PortId id, final JsonElement uuid, final QueueSet queues) {
        final var qos = ports.get(uuid).get(QOS_OF_PORT);
        final var mark = mark(uuid);
        final boolean isWanted = !queues.queues().isEmpty();
        if (!Cells.elements(qos).isEmpty() && mark.isEmpty()) {
            return Optional.of("it has a QoS that is not Sluice's").filter(reason -> isWanted);
        }
        if (mark.equals(Optional.of(queues.mark()).filter(some -> isWanted))) {
            return Optional.empty();
        }
        final var operations = new ArrayList<JsonObject>();
        operations.add(Cells.unchanged(PORT, uuid, QOS_OF_PORT, qos));
        final var update = Cells.operation("update", PORT, is(uuid));
        final var row = new JsonObject();
        row.add(QOS_OF_PORT, isWanted ? array(text("named-uuid"), text(insert(queues, operations)))
            : array(text("set"), new JsonArray()));
        update.add("row", row);
        operations.add(update);
        changes.add(new Change(Optional.of(id), operations));
        return Optional.empty();
    }

    /** The mark of the queues of Sluice's that a port has. */
    private Optional<String> mark(final JsonElement port) {
        return Cells.elements(ports.get(port).get(QOS_OF_PORT)).stream().findFirst().map(qualities::get)
            .flatMap(QueueRows::mark);
    }

    /** Makes a QoS with its queues; returns its name in these operations. */
    private static String insert(final QueueSet wanted, final List<JsonObject> operations) {
        final var queues = new ArrayList<JsonArray>();
        for (var queue : wanted.queues()) {
            final var name = "queue" + operations.size();
            operations.add(row(QUEUE, name, Map.of("priority", Integer.toString(queue.priority()),
                "min-rate", words(queue.least()), "max-rate", words(queue.most())), QUEUE));
            queues.add(array(new JsonPrimitive(queue.number()), array(text("named-uuid"), text(name))));
        }
        final var name = "qos" + operations.size();
        final var quality = row(QOS, name, Map.of("max-rate", words(wanted.capacity())), wanted.mark());
        quality.getAsJsonObject("row").addProperty("type", "linux-htb");
        quality.getAsJsonObject("row").add(QUEUES, map(queues));
        operations.add(quality);
        return name;
    }

    private static String words(final Bandwidth rate) {
        return Long.toString(rate.bitsPerSecond());
    }

    private List<JsonObject> deletion(final JsonElement quality) {
        return Stream.concat(Stream.of(Cells.operation("delete", QOS, is(quality))),
            Cells.pairs(qualities.get(quality).get(QUEUES)).stream()
                .map(pair -> Cells.operation("delete", QUEUE, is(pair.get(1))))).toList();
    }

    private static JsonObject row(final String table, final String name, final Map<String, String> settings,
            final String mark) {
        final var row = new JsonObject();
        row.add("other_config", map(settings));
        row.add(EXTERNAL_IDS, map(Map.of(MARK, mark)));
        final var insert = new JsonObject();
        insert.addProperty("op", "insert");
        insert.addProperty("table", table);
        insert.addProperty("uuid-name", name);
        insert.add("row", row);
        return insert;
    }

    private static Optional<String> mark(final JsonObject quality) {
        return externalId(quality, MARK);
    }

    private static Optional<String> externalId(final JsonObject row, final String key) {
        return Cells.pairs(row.get(EXTERNAL_IDS)).stream()
            .filter(pair -> key.equals(pair.get(0).getAsString())).map(pair -> pair.get(1).getAsString()).findFirst();
    }

    private static Map<JsonElement, JsonObject> byUuid(final JsonArray answers, final int question) {
        return rows(answers, question).stream().collect(Collectors.toMap(row -> row.get("_uuid"), Function.identity(),
            (one, other) -> one, HashMap::new));
    }

    private static List<JsonObject> rows(final JsonArray answers, final int question) {
        return StreamSupport.stream(answers.get(question).getAsJsonObject().getAsJsonArray("rows").spliterator(), false)
            .map(JsonElement::getAsJsonObject).toList();
    }
}
