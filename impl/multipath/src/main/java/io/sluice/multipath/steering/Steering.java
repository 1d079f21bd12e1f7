// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import io.sluice.api.Owner;
import io.sluice.api.Path;
import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import io.sluice.multipath.steering.FlowRecord.Labels;
import io.sluice.multipath.steering.Placement.Placed;
import io.sluice.multipath.steering.Placement.Refused;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which flow goes which way, and what that asks of the switches. Each step answers with the {@link Changes} that bring
 * the switches along; the caller carries them out, in order, and keeps the records. Not thread-safe.
 */
public final class Steering {
    /** Where a flow's entry stands: only one flow can have it. */
    private record Spot(SwitchId at, int priority, FlowMatch match) { }

    private final SteeringCompiler compiler;
    private final PathCatalogue catalogue;
    private final Map<Long, FlowRecord> flows = new TreeMap<>();
    private final Map<Spot, Long> holders = new HashMap<>();
    private FabricSnapshot seen = FabricSnapshot.EMPTY;
    private DetourSearch search = new DetourSearch(seen);

    /** Begins with no flow. A path's groups bear {@code owner}'s mark and the number of its label. */
    public Steering(final Owner owner) {
        this(owner, Owner.MAX_GROUP);
    }

    Steering(final Owner owner, final int largestLabel) {
        compiler = new SteeringCompiler(owner);
        catalogue = new PathCatalogue(largestLabel);
    }

    /**
     * Goes on from the records of an earlier run; those that no flow needs are left out.
     *
     * @param incomplete is told of flows that are left out since a record that they need is missing, and of that
     * @throws IllegalArgumentException if a record contradicts another
     */
    public static Steering restored(final Owner owner, final Collection<? extends SteeringRecord> records,
            final BiConsumer<FlowRecord, String> incomplete) {
        final var steering = new Steering(owner);
        final Map<Long, SteeringRecord> byObject = records.stream()
            .collect(Collectors.toMap(SteeringRecord::object, Function.identity()));
        final Function<Long, Optional<SteeringRecord>> recorded = object -> Optional.ofNullable(byObject.get(object));
        byObject.values().stream().filter(FlowRecord.class::isInstance).map(FlowRecord.class::cast)
            .forEach(flow -> labelsOf(flow).flatMap(label -> PathCatalogue.missing(label, recorded)).findFirst()
                .ifPresentOrElse(missing -> incomplete.accept(flow, missing), () -> {
                    labelsOf(flow).forEach(label -> steering.catalogue.restore(label, recorded));
                    steering.hold(flow);
                }));
        return steering;
    }

    /** Takes note of a later state of the network, and repairs the protection of the paths if its topology changed. */
    public Changes observe(final FabricSnapshot snapshot) {
        final var log = new ChangeLog();
        final boolean changed = snapshot.version() != seen.version();
        seen = snapshot;
        search = new DetourSearch(snapshot);
        if (changed) {
            catalogue.repair(search, log);
        }
        return compiled(log);
    }

    /** Places a flow, or moves the one that is placed under its id. */
    public Placement place(final FlowRequest request) {
        return refusal(List.of(request)).<Placement>map(Refused::new).orElseGet(() -> carryOut(request));
    }

    /** Says why {@code requests}, which don't contradict each other, can't all be placed, if they can't. */
    public Optional<String> refusal(final List<FlowRequest> requests) {
        final int hops = requests.stream().mapToInt(request ->
            request.forward().links().size() + request.backward().links().size()).sum();
        if (!catalogue.hasLabelsFor(2 * requests.size(), hops)) {
            return Optional.of("too many paths are in use: no labels are left");
        }
        return requests.stream().flatMap(request -> conflict(request).stream()).findFirst();
    }

    /** Withdraws a flow; an unknown one needs no change. */
    public Changes withdraw(final long id) {
        final var log = new ChangeLog();
        release(id).ifPresent(flow -> {
            log.withdraw(flow);
            labelsOf(flow).forEach(label -> catalogue.leave(label, log));
        });
        return compiled(log);
    }

    /** Everything that the switches should hold now, to be declared after a restart. */
    public Changes everything() {
        final var log = new ChangeLog();
        catalogue.detours().forEach(log::declare);
        catalogue.paths().forEach(log::declare);
        flows.values().forEach(log::declare);
        return compiled(log);
    }

    /** A flow and all that it needs, to be declared again; nothing if it is unknown. */
    public Changes again(final long id) {
        final var log = new ChangeLog();
        flow(id).ifPresent(flow -> {
            labelsOf(flow).flatMap(label -> catalogue.path(label).stream()).forEach(path -> {
                path.protections().forEach(protection ->
                    catalogue.detour(protection.detour()).ifPresent(log::declare));
                log.declare(path);
            });
            log.declare(flow);
        });
        return compiled(log);
    }

    /** The placed flows, by id. */
    public Collection<FlowRecord> flows() {
        return List.copyOf(flows.values());
    }

    public Optional<FlowRecord> flow(final long id) {
        return Optional.ofNullable(flows.get(id));
    }

    /** The path that bears {@code label}, if it is in use. */
    public Optional<PathRecord> path(final PathLabel label) {
        return catalogue.path(label);
    }

    /** Links of paths in use that nothing protects now: a path crosses each of them at its own peril. */
    public List<Hop> unprotected() {
        return catalogue.paths().stream().flatMap(path -> catalogue.unprotected(path.label(), search).stream())
            .distinct().toList();
    }

    private Placed carryOut(final FlowRequest request) {
        final var log = new ChangeLog();
        final var flow = record(request, enter(request, log));
        final var before = release(request.id());
        hold(flow);
        log.declare(flow);
        before.stream().flatMap(Steering::labelsOf).forEach(label -> catalogue.leave(label, log));
        return new Placed(flow, compiled(log),
            labelsOf(flow).flatMap(label -> catalogue.unprotected(label, search).stream()).toList());
    }

    private Optional<Labels> enter(final FlowRequest request, final ChangeLog log) {
        return request.forward().links().isEmpty() ? Optional.empty()
            : Optional.of(new Labels(enter(request.forward(), log), enter(request.backward(), log)));
    }

    private PathLabel enter(final Path path, final ChangeLog log) {
        return catalogue.enter(path.links().stream().map(Hop::of).toList(), search, log);
    }

    private static FlowRecord record(final FlowRequest request, final Optional<Labels> labels) {
        return new FlowRecord(request.id(), request.key(), request.server(), request.replyTo(),
            request.forward().source(), request.forward().destination(), labels, request.purpose());
    }

    private static Stream<PathLabel> labelsOf(final FlowRecord flow) {
        return flow.labels().stream().flatMap(labels -> Stream.of(labels.forward(), labels.backward()));
    }

    private Optional<String> conflict(final FlowRequest request) {
        if (request.key().clients().equals(MaskedIp.host(request.server()))) {
            return Optional.of("client and server are one host, " + request.server().getHostAddress());
        }
        return spots(request.key(), request.server(), request.replyTo(), request.forward().source(),
            request.backward().source())
            .filter(spot -> holders.getOrDefault(spot, request.id()) != request.id()).findFirst()
            .map(spot -> "flow " + holders.get(spot) + " has the packets of " + request.key() + " at " + spot.at());
    }

    private void hold(final FlowRecord flow) {
        flows.put(flow.id(), flow);
        spots(flow).forEach(spot -> holders.put(spot, flow.id()));
    }

    private Optional<FlowRecord> release(final long id) {
        final var flow = Optional.ofNullable(flows.remove(id));
        flow.stream().flatMap(Steering::spots).forEach(holders::remove);
        return flow;
    }

    private static Stream<Spot> spots(final FlowRecord flow) {
        return spots(flow.key(), flow.server(), flow.replyTo(), flow.clientSide(), flow.serverSide());
    }

    private static Stream<Spot> spots(final FlowKey key, final InetAddress server, final List<MaskedIp> replyTo,
            final SwitchId clientSide, final SwitchId serverSide) {
        return Stream.concat(Stream.of(new Spot(clientSide, key.forwardPriority(), key.forward())),
            replyTo.stream().map(clients ->
                new Spot(serverSide, key.backwardPriority(), key.backward(server, clients))));
    }

    private Changes compiled(final ChangeLog log) {
        return log.compiledBy(compiler, label -> catalogue.detour(label).orElseThrow());
    }
}
