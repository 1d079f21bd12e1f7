// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import static io.sluice.testlib.Addresses.ipv4;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Link;
import io.sluice.api.Path;
import io.sluice.api.Port;
import io.sluice.api.SwitchId;
import io.sluice.multipath.steering.Placement.Placed;
import io.sluice.testlib.FakeProgrammer;
import io.sluice.testlib.Topologies;
import io.sluice.testlib.Topologies.Rates;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of placed flows when the network changes and when the controller starts again. */
class RestartAndRepairTest {
    private static final Rates RATES = Rates.equal(Bandwidth.ofMegabits(10));
    private static final int FLOWS = 30;
    private static final Set<SwitchId> LATE = Set.of(Testbed.id(3), Testbed.id(17));
    private static final Changes NOTHING = new Changes(List.of(), List.of());

    private final long seed = new Random().nextLong();
    private final Testbed bed = new Testbed(Topologies.fatTree(4, 1, RATES));

    @BeforeEach
    void placeFlows() {
        final var random = new Random(seed);
        for (int id = 0; id < FLOWS; id++) {
            bed.place(request(id, random));
        }
    }

    @Test
    void recordsAloneCompileToTheSameEntries() {
        final var everything = bed.steering.everything();

        final var restored = restored(records(everything));

        assertEquals(everything, restored.everything(), "seed " + seed);
        assertEquals(List.copyOf(bed.steering.flows()), List.copyOf(restored.flows()));
    }

    @Test
    void restartTouchesNothingAndGoesOn() {
        final long before = bed.changesOnSwitches();
        final var restored = restored(records(bed.steering.everything()));
        final var programmer = new FakeProgrammer(bed.network);
        final var claim = programmer.claim(Testbed.MULTIPATH);

        Testbed.carryOut(restored.everything(), claim, () -> { });
        claim.restored();
        Testbed.carryOut(restored.observe(withoutLateSwitches()), claim, () -> { });
        Testbed.carryOut(restored.observe(bed.whole), claim, () -> { });

        assertEquals(before, bed.changesOnSwitches(), "seed " + seed);
        final var added = assertInstanceOf(Placed.class, restored.place(request(FLOWS, new Random(seed + 1))));
        Testbed.carryOut(added.changes(), claim, () -> { });
        assertArrive(restored.flows());
        for (int id = 0; id <= FLOWS; id++) {
            Testbed.carryOut(restored.withdraw(id), claim, () -> { });
        }
        bed.assertBare();
    }

    private static Steering restored(final Collection<? extends SteeringRecord> records) {
        return Steering.restored(Testbed.MULTIPATH, records, (flow, missing) -> fail(missing));
    }

    /** Of one path, or of all detours. */
    @Test
    void flowsThatLackARecordAreNamedAndUnusedRecordsAreLeftOut() {
        final var records = records(bed.steering.everything());
        final var withoutFlows = records.stream().filter(LabelledRecord.class::isInstance).toList();
        assertEquals(NOTHING, restored(withoutFlows).everything());

        final var lost = records.stream().filter(PathRecord.class::isInstance).findFirst().orElseThrow();
        final Map<FlowRecord, String> incomplete = new HashMap<>();
        final var rest = Steering.restored(Testbed.MULTIPATH,
            records.stream().filter(record -> record != lost).toList(), incomplete::put);
        assertEquals(Set.of("the record of path " + ((PathRecord) lost).label().number() + " is missing"),
            Set.copyOf(incomplete.values()));
        assertEquals(FLOWS, incomplete.size() + rest.flows().size());
        assertFalse(rest.flows().isEmpty());

        incomplete.clear();
        Steering.restored(Testbed.MULTIPATH, records.stream()
            .filter(record -> !(record instanceof DetourRecord)).toList(), incomplete::put);
        assertTrue(incomplete.values().stream().allMatch(reason -> reason.startsWith("the record of detour ")));
        assertFalse(incomplete.isEmpty());
    }

    @Test
    void twoWaysWithOneLabelAreRefused() {
        final var hop = Hop.of(bed.link(1, 3));
        final var path = bed.steering.path(bed.steering.flows().stream().flatMap(flow -> flow.labels().stream())
            .findFirst().orElseThrow().forward()).orElseThrow();
        final var stolen = new PathRecord(path.label(), path.hops(),
            List.of(new PathRecord.Protection(0, path.label())));
        final var flow = bed.steering.flows().stream().filter(one -> one.labels().isPresent()).findFirst()
            .orElseThrow();

        final var back = bed.steering.path(flow.labels().orElseThrow().backward()).orElseThrow();
        final var records = List.of(flow, stolen, new PathRecord(back.label(), back.hops(), List.of()),
            new DetourRecord(path.label(), hop, List.of(hop)));
        assertThrows(IllegalArgumentException.class, () -> restored(records));
    }

    @Test
    void secondLossIsSurvivedOnceTheFirstWasSeen() {
        final var cables = new ArrayList<>(Topologies.cables(bed.whole));
        Collections.shuffle(cables, new Random(seed));
        for (var first : cables.subList(0, 8)) {
            bed.network.cut(first);
            bed.carryOut(bed.steering.observe(bed.network.snapshot()));
            final var weak = bed.steering.unprotected();
            final var untouched = flowsApartFrom(first);
            for (var second : Topologies.cables(bed.network.snapshot())) {
                if (!weak.contains(Hop.of(second)) && !weak.contains(back(second))) {
                    bed.network.cut(second);
                    assertArrive(untouched);
                    bed.network.restore(second);
                }
            }
            bed.network.restore(first);
            bed.carryOut(bed.steering.observe(bed.network.snapshot()));
        }
        assertEquals(List.of(), bed.steering.unprotected(), "seed " + seed);
        assertArrive(bed.steering.flows());
        bed.steering.flows().forEach(flow -> bed.carryOut(bed.steering.withdraw(flow.id())));
        bed.assertBare();
    }

    @Test
    void lateLinkProtectsWhatItCan() {
        final var parallel = new Testbed(Topologies.line(2, 2, 1, RATES));
        final var lost = parallel.whole.links().getLast();
        parallel.network.cut(lost);
        parallel.carryOut(parallel.steering.observe(parallel.network.snapshot()));
        final var connection = tcp(parallel, 0, 1, 1);
        assertEquals(2, parallel.place(new FlowRequest(1, FlowKey.of(connection), connection.destination(),
            parallel.path(1, 2), parallel.path(2, 1), Purpose.plain("single"))).unprotected().size());

        parallel.network.restore(lost);
        parallel.carryOut(parallel.steering.observe(parallel.network.snapshot()));

        assertEquals(List.of(), parallel.steering.unprotected());
        parallel.network.cut(parallel.link(1, 2));
        parallel.assertArrives(parallel.host(0), parallel.host(1), connection);
    }

    @Test
    void changeOfRatesChangesNothing() {
        assertEquals(NOTHING, bed.steering.observe(bed.whole));
    }

    @Test
    void labelsReturnAsLateAsPossible() {
        final var pool = new LabelPool(3);
        final var first = pool.take();
        assertEquals(1, first.number());
        pool.giveBack(first);

        assertEquals(List.of(2L, 3L, 1L), List.of(pool.take().number(), pool.take().number(), pool.take().number()));
        assertEquals(0, pool.free());
        assertThrows(IllegalStateException.class, pool::take);
        assertThrows(IllegalArgumentException.class, () -> pool.retake(first));
    }

    private void assertArrive(final Collection<FlowRecord> flows) {
        for (var flow : flows) {
            bed.assertArrives(bed.whole.host(flow.key().client()).orElseThrow(),
                bed.whole.host(flow.server()).orElseThrow(), new Connection(flow.key().protocol(), flow.key().client(),
                    flow.key().target(), flow.key().clientPort().orElseThrow(),
                    flow.key().targetPort().orElseThrow()));
        }
    }

    /** Flows whose paths don't cross {@code cable} in any direction. */
    private List<FlowRecord> flowsApartFrom(final Link cable) {
        final var lost = List.of(Hop.of(cable), back(cable));
        return bed.steering.flows().stream().filter(flow -> flow.labels().stream()
            .flatMap(labels -> Stream.of(labels.forward(), labels.backward()))
            .flatMap(label -> bed.steering.path(label).orElseThrow().hops().stream()).noneMatch(lost::contains))
            .toList();
    }

    private static Hop back(final Link cable) {
        return new Hop(cable.destination(), cable.source());
    }

    /** A flow between two random hosts over random paths. */
    private FlowRequest request(final int id, final Random random) {
        final int client = random.nextInt(16);
        final int server = (client + 1 + random.nextInt(15)) % 16;
        final var connection = tcp(bed, client, server, id);
        return new FlowRequest(id, FlowKey.of(connection), connection.destination(), path(client, server, random),
            path(server, client, random), Purpose.plain("random"));
    }

    private Path path(final int from, final int to, final Random random) {
        return Testbed.randomPath(bed.whole, bed.host(from).attachment().switchId(),
            bed.host(to).attachment().switchId(), random);
    }

    private static Connection tcp(final Testbed bed, final int client, final int server, final int number) {
        return new Connection(FlowMatch.PROTOCOL_TCP, ipv4(bed.host(client)), ipv4(bed.host(server)),
            30000 + number, 80);
    }

    private static List<SteeringRecord> records(final Changes changes) {
        return changes.declared().stream().map(Changes.Declared::record).toList();
    }

    /** What a controller sees soon after its start: all but the switches that haven't attached yet. */
    private FabricSnapshot withoutLateSwitches() {
        final var seen = bed.whole.switches().stream().filter(id -> !LATE.contains(id)).collect(Collectors.toSet());
        final var ports = bed.whole.ports().values().stream().filter(port -> seen.contains(port.id().switchId()))
            .collect(Collectors.toMap(Port::id, port -> port));
        final var links = bed.whole.links().stream().filter(link -> seen.contains(link.source().switchId())
            && seen.contains(link.destination().switchId())).toList();
        return new FabricSnapshot(bed.whole.version() + 1, seen, ports, links, bed.whole.hosts());
    }
}
