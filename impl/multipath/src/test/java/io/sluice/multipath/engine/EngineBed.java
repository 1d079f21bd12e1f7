// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FirstPackets;
import io.sluice.api.FirstPackets.FirstPacket;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.Owner;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.api.Timer;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.steering.FlowRecord;
import io.sluice.multipath.steering.SteeringRecord;
import io.sluice.testlib.FabricEntries;
import io.sluice.testlib.FakeNetwork;
import io.sluice.testlib.FakeProgrammer;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.HandLoop;
import io.sluice.testlib.Installed;
import io.sluice.testlib.Journey;
import io.sluice.testlib.ManualClock;
import io.sluice.testlib.Packet;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** An engine on a network in software; its loop runs when the test says so. */
public final class EngineBed implements RecordStore, MultipathEvents {
    private static final Owner FABRIC = new Owner("fabric", 1);
    private static final Owner MULTIPATH = new Owner("multipath", 2);

    final FakeNetwork network;
    final FabricSnapshot whole;
    final ManualClock clock = new ManualClock();
    final Map<Long, SteeringRecord> records = new TreeMap<>();
    final List<FirstPacket> released = new ArrayList<>();
    final List<FirstPacket> refused = new ArrayList<>();
    final List<Relayed> relayed = new ArrayList<>();
    final List<String> events = new ArrayList<>();
    final FlowCounts counts = new FlowCounts(this);
    FabricSnapshot shown;
    MultipathEngine engine;
    FakeProgrammer programmer;
    boolean storeFails;
    private final HandLoop loop = new HandLoop();
    private final Map<SwitchId, Set<Installed>> bare;
    private Consumer<FabricSnapshot> fabricListener;
    private Consumer<FirstPacket> packetListener;

    /** A fragment that the engine sent on, as from {@code source}. */
    record Relayed(FirstPacket packet, InetAddress source, Host to) { }

    public EngineBed(final FabricSnapshot whole, final MultipathConfig config) {
        this.whole = whole;
        shown = whole;
        network = new FakeNetwork(whole);
        new FakeProgrammer(network).claim(FABRIC).declare(1, FabricEntries.of(whole));
        bare = held();
        start(config);
    }

    /** Starts a controller on the network as it is; an earlier one just stops. */
    void start(final MultipathConfig config) {
        loop.clear();
        programmer = new FakeProgrammer(network);
        engine = new MultipathEngine(new MultipathEngine.Environment(new ShownFabric(), programmer.claim(MULTIPATH),
            new Packets(), this, counts, loop, Timer.on(loop), clock, clock), MULTIPATH, config);
        show(shown);
    }

    public MultipathEngine engine() {
        return engine;
    }

    /** Runs what is there to run now. */
    void run() {
        loop.run();
    }

    <T> T await(final CompletionStage<T> stage) {
        return loop.await(stage);
    }

    void runUntil(final BooleanSupplier condition) {
        loop.runUntil(condition);
    }

    void show(final FabricSnapshot snapshot) {
        announce(snapshot);
        run();
    }

    /** Shows a snapshot, but the engine has other things to do. */
    void announce(final FabricSnapshot snapshot) {
        shown = snapshot;
        fabricListener.accept(snapshot);
    }

    void cut(final Link link) {
        network.cut(link);
        show(network.snapshot());
    }

    void restore(final Link link) {
        network.restore(link);
        show(network.snapshot());
    }

    Host host(final int index) {
        return whole.hosts().get(index);
    }

    /** Lets the client send the first packet of a connection, which opens it; it reaches the controller. */
    void connect(final Host client, final Connection connection) {
        begin(client, connection);
        run();
    }

    /** The same, but the engine has other things to do. */
    void begin(final Host client, final Connection connection) {
        packetListener.accept(new FirstPacket(client.attachment(), connection, new byte[1]));
    }

    /** Lets a host send a later packet of a connection; it reaches the controller. */
    void talk(final Host host, final Connection connection) {
        packetListener.accept(new FirstPacket(host.attachment(), connection, new byte[0]));
        run();
    }

    /** Lets a packet reach the engine, which has other things to do. */
    void hand(final FirstPacket packet) {
        packetListener.accept(packet);
    }

    Journey send(final Host client, final Host server, final Connection connection) {
        return network.send(client, Packet.of(client, server, connection));
    }

    /** True if the switches hold the fabric's own entries and no other. */
    boolean isBare() {
        return held().equals(bare) && records.isEmpty();
    }

    /** Objects of which the switches were told something else than the placed flows need. */
    Set<Long> gaps() {
        final var needs = await(programmer.knowledge(MULTIPATH).orElseThrow().needs());
        final var declared = programmer.declared(MULTIPATH);
        final var gaps = new HashSet<>(declared.keySet());
        gaps.addAll(needs.entries().keySet());
        gaps.removeIf(object -> needs.changing().contains(object)
            || declared.getOrDefault(object, Map.of()).equals(needs.entries().getOrDefault(object, Map.of())));
        return gaps;
    }

    /** Loses what was declared of an object. */
    void lose(final long object) {
        await(programmer.withdraw(MULTIPATH, object));
    }

    /** Has an application declare again what has gaps. */
    void mend(final Set<Long> objects) {
        await(programmer.knowledge(MULTIPATH).orElseThrow().declareAgain(objects));
    }

    long changes() {
        return network.switches().stream().mapToLong(FakeSwitch::changes).sum();
    }

    @Override
    public Collection<SteeringRecord> load() {
        return List.copyOf(records.values());
    }

    @Override
    public CompletionStage<?> update(final Collection<? extends SteeringRecord> kept,
            final Collection<? extends SteeringRecord> dropped) {
        if (storeFails) {
            return CompletableFuture.failedStage(new IllegalStateException("the disk is full"));
        }
        dropped.forEach(record -> records.remove(record.object()));
        kept.forEach(record -> records.put(record.object(), record));
        return CompletableFuture.completedStage(null);
    }

    @Override
    public void placed(final FlowState flow) {
        events.add("placed");
    }

    @Override
    public void moved(final FlowState flow, final MoveCause cause) {
        events.add("moved " + cause);
    }

    @Override
    public void withdrawn(final FlowState flow, final WithdrawCause cause) {
        events.add("withdrawn " + cause);
    }

    @Override
    public void refused(final Connection connection, final String reason) {
        events.add("refused " + reason);
    }

    @Override
    public void refused(final Transfer transfer, final String reason) {
        events.add("refused " + transfer.name() + " " + reason);
    }

    @Override
    public void forgotten(final FlowRecord flow, final String reason) {
        events.add("forgotten " + reason);
    }

    @Override
    public void refused(final String service, final SortedSet<Integer> slots, final SwitchId edge,
            final String reason) {
        events.add("refused " + slots.size() + " slots of " + service + " at " + edge + ": " + reason);
    }

    @Override
    public void turnedAway(final long packets) {
        events.add("turned away " + packets);
    }

    @Override
    public void dropped(final long packets) {
        // counted by FlowCounts
    }

    @Override
    public void fragmentsRelayed(final long packets) {
        // counted by FlowCounts
    }

    @Override
    public void fragmentsDropped(final long packets) {
        // counted by FlowCounts
    }

    @Override
    public void splitChanged(final Split split) {
        events.add("split " + split.mode());
    }

    private Map<SwitchId, Set<Installed>> held() {
        return network.switches().stream().collect(Collectors.toMap(FakeSwitch::id,
            target -> new HashSet<>(target.entries())));
    }

    private final class ShownFabric implements Fabric {
        @Override
        public FabricSnapshot snapshot() {
            return shown;
        }

        @Override
        public Subscription subscribe(final Consumer<FabricSnapshot> listener) {
            fabricListener = listener;
            return () -> { };
        }
    }

    private final class Packets implements FirstPackets {
        @Override
        public Subscription subscribe(final Consumer<FirstPacket> listener) {
            packetListener = listener;
            return () -> { };
        }

        @Override
        public void release(final FirstPacket packet) {
            released.add(packet);
        }

        @Override
        public void refuse(final FirstPacket packet) {
            refused.add(packet);
        }

        @Override
        public boolean opens(final FirstPacket packet) {
            return packet.frame().length > 0;
        }

        @Override
        public boolean relay(final FirstPacket packet, final InetAddress source, final InetAddress destination) {
            final var host = shown.host(destination);
            host.ifPresent(there -> relayed.add(new Relayed(packet, source, there)));
            return host.isPresent();
        }
    }
}
