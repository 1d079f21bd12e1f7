// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.Owner;
import io.sluice.api.Routes;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.TenantConfig;
import io.sluice.bandwidth.engine.Priorities.Queue;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.FabricEntries;
import io.sluice.testlib.FakeNetwork;
import io.sluice.testlib.FakeProgrammer;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.HandLoop;
import io.sluice.testlib.ManualClock;
import io.sluice.testlib.Outcome.Drop;
import io.sluice.testlib.Packet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** An engine on a network of fake switches. */
final class EngineBed implements Fabric, BandwidthEvents {
    static final Owner OWNER = new Owner("bandwidth", 3);
    static final long INTERVAL_US = 5_000_000;
    /** Of the last interval alone, in queues for code points 10 and 20. */
    static final Priorities PRIORITIES = new Priorities(0, List.of(new Queue(10, OptionalLong.empty()),
        new Queue(20, OptionalLong.empty())), false);

    final FakeNetwork network;
    final ManualClock clock = new ManualClock();
    final FakeQueues queues = new FakeQueues();
    final List<String> events = new ArrayList<>();
    Routes routes = match -> List.of();
    FakeProgrammer programmer;
    BandwidthEngine engine;
    private final HandLoop loop = new HandLoop();
    private final List<Runnable> overdue = new ArrayList<>();
    private FabricSnapshot shown;
    private Consumer<FabricSnapshot> listener;

    EngineBed(final FabricSnapshot whole) {
        shown = whole;
        network = new FakeNetwork(whole);
        new FakeProgrammer(network).claim(new Owner("fabric", 1)).declare(1, FabricEntries.of(whole));
        start();
    }

    /** Starts a controller on the network as it is; an earlier one just stops. */
    void start() {
        loop.clear();
        programmer = new FakeProgrammer(network);
        final var switches = new Environment.Switches(programmer.claim(OWNER), queues);
        engine = new BandwidthEngine(new Environment(this, switches, match -> routes.of(match), this,
            new Environment.Time(loop, overdue::add, clock)), OWNER);
    }

    /** Has the engine take the configuration, and everything settle. */
    void configure(final FlowConfig... flows) {
        configure(config(flows));
    }

    void configure(final BandwidthConfig config) {
        engine.configure(config);
        loop.run();
    }

    /** Has the engine take the configuration, and looks before each step of the round and after the last. */
    void configure(final BandwidthConfig config, final Runnable look) {
        engine.configure(config);
        final var round = engine.reallocate().toCompletableFuture();
        loop.runUntil(() -> {
            look.run();
            return round.isDone();
        });
        loop.run();
    }

    BandwidthEngine.Outcome reallocate() {
        return loop.await(engine.reallocate());
    }

    void awaitConfiguration() {
        loop.await(engine.taken());
    }

    /** What is under way, with the rounds that come of it. */
    void settle() {
        loop.run();
    }

    /** A round as far as it comes before switches are no longer waited for, and its rest. */
    BandwidthEngine.Outcome reallocateWithoutAnswer() {
        final var round = engine.reallocate();
        while (!round.toCompletableFuture().isDone()) {
            loop.run();
            loseTheirPatience();
        }
        return loop.await(round);
    }

    /** The time is over that switches have for what they were asked so far. */
    private void loseTheirPatience() {
        final var all = List.copyOf(overdue);
        overdue.clear();
        all.forEach(Runnable::run);
    }

    /** A round, and something that happens after so many steps of it. */
    BandwidthEngine.Outcome reallocateAnd(final int steps, final Runnable amid) {
        final var round = engine.reallocate();
        final var left = new AtomicInteger(steps);
        loop.runUntil(() -> left.getAndDecrement() == 0);
        amid.run();
        return loop.await(round);
    }

    void show(final FabricSnapshot snapshot) {
        shown = snapshot;
        listener.accept(snapshot);
        loop.run();
    }

    /** Kilobits per second of the meters on all switches, by what their entries match. */
    Map<String, Long> meters() {
        final var rates = new TreeMap<String, Long>();
        network.switches().forEach(node -> {
            final var meters = new TreeMap<Integer, Long>();
            node.entries().forEach(installed -> {
                if (installed.entry() instanceof Entry.Meter meter) {
                    meters.put(meter.number(), meter.rate());
                }
            });
            node.entries().forEach(installed -> {
                if (installed.entry() instanceof Entry.Flow flow && flow.meter().isPresent()) {
                    rates.put(node.id() + " " + flow.match(), meters.remove(flow.meter().getAsInt()));
                }
            });
            meters.forEach((number, rate) -> rates.put(node.id() + " without an entry: " + number, rate));
        });
        return rates;
    }

    /** Sends a packet of TCP from one host to another, which meters don't hold back. */
    void send(final int from, final int to) {
        flood(from, to, 1);
    }

    /** Sends so many at once: meters pass their burst, which is 500 packets for each Mbit/s, and drop the rest. */
    void flood(final int from, final int to, final int packets) {
        network.switches().forEach(FakeSwitch::refillMeters);
        rush(from, to, packets);
    }

    /** Sends so many at once, without time for meters to fill; returns how many meters have let pass. */
    long rush(final int from, final int to, final int packets) {
        return IntStream.range(0, packets).mapToObj(i -> network.send(host(from), packet(from, to)))
            .filter(journey -> journey.losses().stream().noneMatch(loss -> loss.reason() == Drop.METERED)).count();
    }

    /** The mark of a packet of TCP from one host to another, for which the switch where it enters has no way. */
    int mark(final int from, final int to) {
        network.switches().forEach(FakeSwitch::refillMeters);
        return network.send(host(from), packet(from, to)).toController().getFirst().packet().codePoint();
    }

    private Packet packet(final int from, final int to) {
        return Packet.of(host(from), host(to), new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ip("10.0.0." + from),
            Addresses.ip("10.0.0." + to), 1, 2));
    }

    private Host host(final int number) {
        return shown.host(Addresses.ip("10.0.0." + number)).orElseThrow();
    }

    FlowState state(final String flow) {
        return engine.flows().stream().filter(state -> state.id().equals(id(flow))).findFirst().orElseThrow();
    }

    /** What the meters of a flow have dropped. */
    Traffic dropped(final String flow) {
        return state(flow).passage().orElseThrow().dropped();
    }

    long megabits(final String flow) {
        return state(flow).rate().orElseThrow().rate().bitsPerSecond() / 1_000_000;
    }

    static FlowId id(final String flow) {
        return new FlowId(new ApplicationId("t", flow), flow);
    }

    /** Each flow is an application of its own. */
    static BandwidthConfig config(final FlowConfig... flows) {
        return new BandwidthConfig(PolicyName.APP_MAX_MIN, INTERVAL_US, PRIORITIES, Set.of(),
            List.of(new TenantConfig("t", 1, List.of(flows).stream()
                .map(flow -> new ApplicationConfig(flow.name(), 1, List.of(flow))).toList())));
    }

    /** All TCP from one host to another, by their numbers. */
    static FlowConfig flow(final String name, final int from, final int to) {
        return new FlowConfig(name, new Packets(Addresses.ip("10.0.0." + from), Addresses.ip("10.0.0." + to),
            OptionalInt.of(FlowMatch.PROTOCOL_TCP), OptionalInt.empty(), OptionalInt.empty()), 0, 1, Bandwidth.ZERO,
            Optional.empty());
    }

    static FlowConfig limited(final FlowConfig flow, final long megabits) {
        return new FlowConfig(flow.name(), flow.packets(), 0, 1, flow.guarantee(),
            Optional.of(Bandwidth.ofMegabits(megabits)));
    }

    static FlowConfig guaranteed(final FlowConfig flow, final long megabits) {
        return new FlowConfig(flow.name(), flow.packets(), 0, 1, Bandwidth.ofMegabits(megabits), flow.limit());
    }

    /** What the entry of a flow matches, as words. */
    String match(final int from, final int to) {
        return flow("f", from, to).packets().match(host(from).attachment()).toString();
    }

    static SwitchId node(final int number) {
        return new SwitchId("openflow:" + number);
    }

    @Override
    public FabricSnapshot snapshot() {
        return shown;
    }

    @Override
    public Subscription subscribe(final Consumer<FabricSnapshot> added) {
        listener = added;
        return () -> { };
    }

    @Override
    public void reallocated(final Map<FlowId, Optional<FlowState>> flows) {
        flows.forEach((flow, state) -> events.add(flow.flow() + " "
            + state.flatMap(FlowState::rate).map(given -> given.rate().toString()).orElse("gone")));
    }

    @Override
    public void heard(final ApplicationId application, final Reporting reporting) {
        events.add(application.application() + " " + reporting);
    }

    @Override
    public void refused(final String reason) {
        events.add(reason);
    }
}
