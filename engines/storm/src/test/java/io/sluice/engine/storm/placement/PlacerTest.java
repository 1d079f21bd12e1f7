// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.Settings;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.placement.FlowMap.PlacedFlow;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacerTest {
    private static Map<String, TreeSet<Integer>> tasks(final Cluster cluster, final TopologyDetails topology) {
        final var tasks = new TreeMap<String, TreeSet<Integer>>();
        final var assignment = cluster.getAssignmentById(topology.getId());
        if (assignment != null) {
            assignment.getExecutorToSlot().forEach((executor, slot) -> tasks.computeIfAbsent(
                cluster.getHost(slot.getNodeId()) + ":" + slot.getPort(), at -> new TreeSet<>())
                .add(executor.getStartTask()));
        }
        return tasks;
    }

    private static WorkerSlot slot(final Cluster cluster, final TopologyDetails topology, final String host) {
        return cluster.getUsedSlotsByTopologyId(topology.getId()).stream()
            .filter(slot -> host.equals(cluster.getHost(slot.getNodeId()))).findFirst().orElseThrow();
    }

    private static Map<String, TreeSet<Integer>> expected(final Object... slotsAndTasks) {
        final var tasks = new TreeMap<String, TreeSet<Integer>>();
        for (int at = 0; at < slotsAndTasks.length; at += 2) {
            tasks.put((String) slotsAndTasks[at], new TreeSet<>((List<Integer>) slotsAndTasks[at + 1]));
        }
        return tasks;
    }

    @Test
    void executorsGoRoundTheHostsStageByStage() {
        final var topology = Clusters.topology("t", 4, Map.of());
        final var cluster = Clusters.cluster(4, 2, Map.of(), topology);
        Placer.place(topology, cluster);
        assertEquals(expected("h1:6700", List.of(7, 3), "h2:6700", List.of(5, 4), "h3:6700", List.of(6, 1),
            "h4:6700", List.of(2)), tasks(cluster, topology));
    }

    @Test
    void aSecondWorkerOnAHostComesAfterOneOnEach() {
        final var topology = Clusters.topology("t", 3, Map.of());
        final var cluster = Clusters.cluster(2, 2, Map.of(), topology);
        Placer.place(topology, cluster);
        assertEquals(expected("h1:6700", List.of(7, 2, 1), "h2:6700", List.of(5, 3), "h1:6701", List.of(6, 4)),
            tasks(cluster, topology));
    }

    @Test
    void componentsThatHaveTheirHostsGoThere() {
        final var topology = Clusters.topology("t", 2, Map.of(Settings.PLACEMENT,
            Map.of("count", List.of("h4", "h3"), "report", List.of("h3"))));
        final var cluster = Clusters.cluster(4, 1, Map.of(), topology);
        Placer.place(topology, cluster);
        assertEquals(expected("h1:6700", List.of(7, 6), "h2:6700", List.of(5, 1), "h4:6700", List.of(2),
            "h3:6700", List.of(3, 4)), tasks(cluster, topology));
    }

    @Test
    void whoLostItsPlaceGoesBackToItsHostAndNotToThatOfTheFirst() {
        final var topology = Clusters.topology("t", 4,
            Map.of(Settings.PLACEMENT, Map.of("count", List.of("h3", "h4"))));
        final var cluster = Clusters.cluster(4, 1, Map.of(), topology);
        Placer.place(topology, cluster);
        final var before = tasks(cluster, topology);
        assertTrue(before.get("h4:6700").contains(3));
        cluster.freeSlot(slot(cluster, topology, "h4"));
        Placer.place(topology, cluster);
        assertEquals(before, tasks(cluster, topology));
    }

    @Test
    void whoseHostHasNoSlotGoesToTheNextOfItsHosts() {
        final var topology = Clusters.topology("t", 2,
            Map.of(Settings.PLACEMENT, Map.of("count", List.of("h9", "h2"))));
        final var cluster = Clusters.cluster(2, 1, Map.of(), topology);
        Placer.place(topology, cluster);
        assertTrue(tasks(cluster, topology).get("h2:6700").containsAll(List.of(2, 3)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "count | h9 | sluice.placement puts count on h9, where no slot is free; hosts with one: [h1, h2]",
        "bolt | h1 | sluice.placement names bolt, which is no component; there are"
            + " [__acker, count, report, split, words]"})
    void aTopologyWhoseHostsAreNotThereWaitsAndSaysWhy(final String component, final String host, final String reason) {
        final var topology = Clusters.topology("t", 2, Map.of(Settings.PLACEMENT, Map.of(component, List.of(host))));
        final var cluster = Clusters.cluster(2, 1, Map.of(), topology);
        Placer.place(topology, cluster);
        assertNull(cluster.getAssignmentById(topology.getId()));
        assertEquals(reason, cluster.getStatus(topology.getId()));
    }

    @Test
    void withoutAFreeSlotATopologyWaitsAndSaysWhy() {
        final var first = Clusters.topology("first", 2, Map.of());
        final var second = Clusters.topology("second", 2, Map.of());
        final var cluster = Clusters.cluster(2, 1, Map.of(), first, second);
        Placer.place(first, cluster);
        Placer.place(second, cluster);
        assertNull(cluster.getAssignmentById(second.getId()));
        assertEquals("no supervisor has a free slot; add one, or end another topology",
            cluster.getStatus(second.getId()));
    }

    @Test
    void whatHasAPlaceKeepsItWhenAHostIsLost() {
        final var topology = Clusters.topology("t", 3, Map.of());
        final var before = Clusters.cluster(3, 1, Map.of(), topology);
        Placer.place(topology, before);
        final var flows = FlowMap.of(topology, before).flows().keySet();

        final var lost = Clusters.without("h3", before, topology);
        Placer.place(topology, lost);
        assertEquals(flows, FlowMap.of(topology, lost).flows().keySet());
        assertEquals(before.getAssignments(), lost.getAssignments());

        lost.freeSlots(lost.getUsedSlotsByTopologyId(topology.getId()).stream()
            .filter(slot -> lost.getHost(slot.getNodeId()) == null).toList());
        assertEquals(expected("h1:6700", List.of(1, 2, 7), "h2:6700", List.of(3, 5)), tasks(lost, topology));
        Placer.place(topology, lost);
        assertEquals(expected("h1:6700", List.of(1, 2, 7, 6), "h2:6700", List.of(3, 5, 4)), tasks(lost, topology));
    }

    @Test
    void nothingGoesToAHostThatIsLost() {
        final var topology = Clusters.topology("t", 3, Map.of());
        final var before = Clusters.cluster(3, 1, Map.of(), topology);
        Placer.place(topology, before);
        final var lost = Clusters.without("h3", before, topology);
        lost.freeSlots(lost.getUsedSlotsByTopologyId(topology.getId()).stream()
            .filter(slot -> "h2".equals(lost.getHost(slot.getNodeId()))).toList());

        Placer.place(topology, lost);

        assertEquals(List.of(3, 5), lost.getAssignmentById(topology.getId()).getExecutorToSlot().entrySet().stream()
            .filter(place -> "h2".equals(lost.getHost(place.getValue().getNodeId())))
            .map(place -> place.getKey().getStartTask()).sorted().toList());
    }

    @Test
    void aHostThatJoinsTakesWhatHasNoPlace() {
        final var topology = Clusters.topology("t", 3, Map.of());
        final var two = Clusters.cluster(2, 1, Map.of(), topology);
        Placer.place(topology, two);
        two.freeSlot(slot(two, topology, "h2"));
        final var placed = new TreeMap<>(tasks(two, topology));
        final var three = Clusters.cluster(2, 2, two.getAssignments(), topology);
        Placer.place(topology, three);
        assertTrue(tasks(three, topology).entrySet().containsAll(placed.entrySet()));
        assertEquals(7, tasks(three, topology).values().stream().mapToInt(TreeSet::size).sum());
        assertEquals(3, tasks(three, topology).size());
    }

    @Test
    void flowsAreThePairsOfTasksOnDifferentHostsThatTheTopologyConnects() {
        final var topology = Clusters.topology("words & counts", 3, Map.of());
        final var cluster = Clusters.cluster(3, 1, Map.of(), topology);
        assertEquals(Map.of(), FlowMap.of(topology, cluster).flows());
        Placer.place(topology, cluster);
        final var map = FlowMap.of(topology, cluster);
        assertEquals("words___counts", map.application());
        assertEquals(new PlacedFlow("words-7.split-5", "h1", "h2", 6700, 1), map.flows().get(new TaskPair(7, 5)));
        assertEquals(List.of("split-5.count-2", "split-6.count-2", "split-6.count-3", "count-2.report-4",
            "count-3.report-4", "words-7.split-5", "words-7.split-6").stream().sorted().toList(),
            map.flows().values().stream().map(PlacedFlow::name).sorted().toList());
        assertEquals(Map.of("words", 1, "split", 2, "count", 3), map.flows().values().stream().collect(
            Collectors.toMap(flow -> flow.name().split("-")[0], PlacedFlow::stage, (one, other) -> one)));
    }
}
