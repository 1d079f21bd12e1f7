// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.sluice.api.Bandwidth;
import io.sluice.api.Batches;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares the queues of one database with what is wanted, and has them changed; one look at a time. Thread-safe. */
final class QueueTalk {
    private static final Logger LOG = LoggerFactory.getLogger(QueueTalk.class);
    /** Names of requests, which the answers bear. */
    private static final String PREFIX = "queues-";
    private static final String ASK_LEFT = PREFIX + "left";
    private static final String ASK = PREFIX + "ask";
    /** A port may follow. */
    private static final String SET = PREFIX + "set";

    private final BiConsumer<String, List<JsonObject>> request;
    private final Supplier<Optional<WantedQueues>> wanted;
    private final Predicate<SwitchId> ours;
    private final Function<PortId, Optional<Bandwidth>> capacities;
    private final Batches<CompletableFuture<Look>> looks = new Batches<>(this::serve);
    private CompletableFuture<Look> current = CompletableFuture.completedFuture(Look.NOTHING);
    private Set<SwitchId> switches = Set.of();
    private Map<PortId, Optional<String>> ports = Map.of();
    private int unanswered;
    private boolean ended;

    /**
     * What a database was found to have.
     *
     * @param switches that are bridges of it
     * @param ports that should have queues, or none, each with what keeps it from that
     */
    record Look(Set<SwitchId> switches, Map<PortId, Optional<String>> ports) {
        static final Look NOTHING = new Look(Set.of(), Map.of());

        Look {
            switches = Set.copyOf(switches);
            ports = Map.copyOf(ports);
        }
    }

    /**
     * Starts without a look.
     *
     * @param request sends a request by its name
     * @param wanted queues that ports should have; empty if that is not for this controller to say
     * @param ours whether a switch is attached to this controller; those of others stay as they are
     * @param capacities of ports, as far as they are known
     */
    QueueTalk(final BiConsumer<String, List<JsonObject>> request, final Supplier<Optional<WantedQueues>> wanted,
            final Predicate<SwitchId> ours, final Function<PortId, Optional<Bandwidth>> capacities) {
        this.request = request;
        this.wanted = wanted;
        this.ours = ours;
        this.capacities = capacities;
    }

    /** Makes the queues as they should be; completes when the database has answered, or is gone. */
    CompletionStage<Look> look() {
        final var look = new CompletableFuture<Look>();
        looks.add(look).exceptionally(failure -> {
            look.complete(Look.NOTHING);
            return null;
        });
        return look;
    }

    /** Whether the answer to a request belongs here. */
    static boolean isNamed(final String name) {
        return name.startsWith(PREFIX);
    }

    /** Takes the answer to a request. */
    synchronized void received(final String name, final JsonObject answer) {
        final var result = answer.getAsJsonArray("result");
        if (ASK_LEFT.equals(name)) {
            if (QueueRows.isAnyLeft(result)) {
                request.accept(ASK, QueueRows.questions());
            } else {
                finish();
            }
        } else if (ASK.equals(name)) {
            change(QueueRows.of(result, this::wanted));
        } else if (name.startsWith(SET)) {
            changed(name, answer);
        } else {
            throw new IllegalArgumentException("nobody asked " + name);
        }
    }

    /** The connection has ended. */
    synchronized void end() {
        ended = true;
        current.complete(Look.NOTHING);
    }

    private CompletionStage<Void> serve(final List<CompletableFuture<Look>> callers) {
        return begin().thenAccept(look -> callers.forEach(caller -> caller.complete(look)));
    }

    private synchronized CompletionStage<Look> begin() {
        switches = Set.of();
        ports = Map.of();
        current = new CompletableFuture<>();
        final var now = wanted.get();
        if (ended || now.isEmpty()) {
            finish();
        } else {
            final boolean isNone = now.orElseThrow().isNone();
            request.accept(isNone ? ASK_LEFT : ASK,
                isNone ? List.of(QueueRows.ofSluice()) : QueueRows.questions());
        }
        return current;
    }

    private Optional<QueueSet> wanted(final PortId port, final Optional<String> mark) {
        return wanted.get().filter(queues -> ours.test(port.switchId()))
            .flatMap(queues -> queues.at(port, capacities.apply(port), mark));
    }

    private synchronized void change(final QueueRows rows) {
        switches = rows.switches();
        ports = new HashMap<>(rows.found());
        unanswered = rows.changes().size();
        rows.changes().forEach(change -> request.accept(change.port().map(id -> SET + " " + id).orElse(SET),
            change.operations()));
        if (unanswered == 0) {
            finish();
        }
    }

    private synchronized void changed(final String name, final JsonObject answer) {
        final var refused = refused(answer);
        if (refused.isPresent()) {
            LOG.warn("ovsdb-queues-refused request=\"{}\" reason=\"{}\"", name, refused.orElseThrow());
            ports.replaceAll((id, found) -> name.equals(SET + " " + id) ? refused : found);
        }
        if (--unanswered == 0) {
            finish();
        }
    }

    private synchronized void finish() {
        current.complete(new Look(switches, ports));
    }

    /** Why a database did not do what it was asked to; one operation that fails undoes the others. */
    private static Optional<String> refused(final JsonObject answer) {
        return StreamSupport.stream(answer.getAsJsonArray("result").spliterator(), false)
            .filter(one -> one.isJsonObject() && one.getAsJsonObject().has("error")).map(JsonElement::toString)
            .findFirst();
    }
}
