// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Owner;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.multipath.engine.MultipathConfig;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathEngine;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.southbound.fabric.FabricProgram;
import io.sluice.southbound.fabric.FabricView;
import io.sluice.southbound.fabric.Memory;
import io.sluice.southbound.fabric.PacketDesk;
import io.sluice.southbound.fabric.PacketWire;
import io.sluice.southbound.program.Programmer;
import io.sluice.southbound.program.Programmer.Outcome;
import io.sluice.southbound.program.SwitchSession;
import io.sluice.testlib.SimulatedTime;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** The controller without OpenDaylight: its parts, joined as the components join them, in simulated time. */
final class Controller {
    static final int SERVICE_PORT = 80;

    private static final Owner MULTIPATH = new Owner("multipath", 2);
    private static final long S = 1_000_000_000L;
    /** A loop of the controller takes so long, at most, until it does what it is given. */
    private static final long LAG_NS = 300_000;
    private static final long SEEK_NS = S;
    private static final long SETTLE_NS = 60 * S;
    private static final long AUDIT_NS = 30 * S;
    private static final long ANSWERS_NS = 300 * S;
    /** A server that is removed keeps its connections for so long: less than the simulation waits. */
    private static final long DRAIN_MS = 2_000;
    /** A server that is never full. */
    private static final int MAX_LOAD = 1_000_000;

    private final BusyLoop fabricLoop;
    private final BusyLoop multipathLoop;
    private final FabricView view;
    private final PacketDesk desk;
    private final Programmer programmer;
    private final MultipathEngine engine;
    private final Map<InetAddress, Subscription> virtual = new LinkedHashMap<>();

    /** Starts with an empty network. */
    Controller(final SimulatedTime time, final Random random, final PacketWire wire) {
        fabricLoop = new BusyLoop(time, new Random(random.nextLong()), 1, LAG_NS);
        multipathLoop = new BusyLoop(time, new Random(random.nextLong()), 1, LAG_NS);
        view = new FabricView(fabricLoop);
        desk = new PacketDesk(view, wire, time, fabricLoop);
        view.subscribe(desk::update);
        programmer = new Programmer(new BusyLoop(time, new Random(random.nextLong()), 1, LAG_NS));
        lead(time);
        engine = new MultipathEngine(new Environment(view, programmer.claim(MULTIPATH), desk, new NoRecords(),
            new NoEvents(), multipathLoop, multipathLoop, time, time), MULTIPATH, config(Map.of()));
        every(fabricLoop, SETTLE_NS, () -> desk.update(view.snapshot()));
        every(fabricLoop, SEEK_NS, desk::seek);
        every(fabricLoop, AUDIT_NS, () -> programmer.sync(Optional.empty()));
        review();
    }

    private void lead(final SimulatedTime time) {
        final var program = new FabricProgram(fabricLoop, programmer, new NoMemory(),
            new FabricProgram.Beginning(new Memory.Contents(Map.of(), Map.of()), Map.of()), time, fabricLoop);
        program.compareWith(() -> desk.situation(view.snapshot()));
        desk.onAcquaintance(program::acquainted);
        view.subscribe(snapshot -> program.update(desk.situation(snapshot)));
        programmer.onAttached((switchId, features) -> fabricLoop.execute(() -> desk.attached(switchId)));
        every(fabricLoop, ANSWERS_NS, program::review);
    }

    /** What the plugin's inventory and discovery report to. */
    FabricView view() {
        return view;
    }

    FabricSnapshot snapshot() {
        return view.snapshot();
    }

    void connecting(final SwitchId switchId) {
        programmer.connecting(switchId);
    }

    void attached(final SwitchId switchId, final SwitchSession session) {
        programmer.attached(switchId, session);
    }

    void detached(final SwitchId switchId) {
        programmer.detached(switchId);
    }

    /** Takes a packet that a switch sent up. */
    void packet(final PortId ingress, final byte[] frame) {
        fabricLoop.execute(() -> desk.packet(ingress, frame));
    }

    /** Takes what the operator configures. */
    void configure(final Map<String, World.Service> services) {
        final var wanted = new TreeMap<>(services);
        multipathLoop.execute(() -> {
            wanted.values().forEach(service -> virtual.computeIfAbsent(service.address(), desk::answerFor));
            final var kept = wanted.values().stream().map(World.Service::address).toList();
            virtual.entrySet().removeIf(address -> {
                final boolean gone = !kept.contains(address.getKey());
                if (gone) {
                    address.getValue().close();
                }
                return gone;
            });
            engine.configure(config(wanted));
        });
    }

    /** Compares what the switches hold with what is declared, and that with what is needed. */
    CompletionStage<Map<SwitchId, Outcome>> validate() {
        return programmer.validate(Optional.empty());
    }

    private void review() {
        multipathLoop.after(engine.config().refreshMs() * 1_000_000, () ->
            engine.review(false).whenCompleteAsync((moved, failure) -> {
                if (failure != null) {
                    throw new IllegalStateException("a review failed", failure);
                }
                review();
            }, multipathLoop));
    }

    private static void every(final BusyLoop loop, final long periodNs, final Runnable task) {
        loop.after(periodNs, () -> {
            task.run();
            every(loop, periodNs, task);
        });
    }

    private static MultipathConfig config(final Map<String, World.Service> services) {
        final var configured = new LinkedHashMap<String, Service>();
        services.forEach((name, service) -> configured.put(name, new Service(name, FlowMatch.PROTOCOL_UDP,
            Optional.of(service.address()), OptionalInt.of(SERVICE_PORT), 1, OptionalInt.empty(), Optional.empty(),
            service.servers().stream().map(server -> new Server(server.toString(), server.like(service.address()),
                MAX_LOAD, 1, List.of(new ServerPort(SERVICE_PORT, 1)))).toList(), DRAIN_MS)));
        return new MultipathConfig(Strategy.JOINT, 10_000, new PlacerSettings(250_000, 100_000, 30 * S), 30_000,
            configured, Map.of());
    }
}
