// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

import io.sluice.engine.storm.TaskPair;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;

/**
 * Which flows a topology has over the network: one for each pair of tasks on different hosts, the first of which sends
 * to the second. What the system's own tasks send is none.
 *
 * @param topology Storm's id of the topology
 * @param application the topology's name, as the controller allows names
 * @param whole every executor has a place; if not, flows may be missing that come back
 * @param flows by pair of tasks
 */
public record FlowMap(String topology, String application, boolean whole, Map<TaskPair, PlacedFlow> flows) {
    private static final int MOST_CHARACTERS = 64;
    private static final int COMPONENT_CHARACTERS = 20;
    private static final String TASK = "[A-Za-z0-9][A-Za-z0-9._-]{0," + (COMPONENT_CHARACTERS - 1) + "}-\\d+";
    private static final Pattern NAME = Pattern.compile(TASK + "\\." + TASK);

    /**
     * One flow.
     *
     * @param name its name within the application
     * @param sourceHost where its first task is, as Storm knows the host
     * @param destinationHost where its second task is
     * @param destinationPort where that task's worker listens
     * @param stage number of components before that task's, on the longest way from a source
     */
    public record PlacedFlow(String name, String sourceHost, String destinationHost, int destinationPort,
            int stage) { }

    public FlowMap {
        flows = Collections.unmodifiableMap(flows);
    }

    /** The flows of a topology, as far as its tasks have been placed. */
    public static FlowMap of(final TopologyDetails topology, final Cluster cluster) {
        final var tasks = new HashMap<String, List<Integer>>();
        final var slots = new HashMap<Integer, WorkerSlot>();
        final var assignment = cluster.getAssignmentById(topology.getId());
        if (assignment != null) {
            assignment.getExecutorToSlot().forEach((executor, slot) -> {
                final String component = topology.getExecutorToComponent().get(executor);
                for (int task = executor.getStartTask(); task <= executor.getEndTask(); task++) {
                    tasks.computeIfAbsent(component, name -> new ArrayList<>()).add(task);
                    slots.put(task, slot);
                }
            });
        }
        final var flows = new TreeMap<TaskPair, PlacedFlow>(
            (one, other) -> one.source() == other.source() ? Integer.compare(one.destination(), other.destination())
                : Integer.compare(one.source(), other.source()));
        final var order = new StageOrder(topology.getTopology());
        order.sendersTo().forEach((receiver, senders) -> {
            for (var sender : senders) {
                for (int from : tasks.getOrDefault(sender, List.of())) {
                    for (int to : tasks.getOrDefault(receiver, List.of())) {
                        final String source = host(slots.get(from), cluster);
                        final String destination = host(slots.get(to), cluster);
                        if (!source.equals(destination)) {
                            flows.put(new TaskPair(from, to), new PlacedFlow(name(sender, from, receiver, to), source,
                                destination, slots.get(to).getPort(), order.stage(receiver)));
                        }
                    }
                }
            }
        });
        return new FlowMap(topology.getId(), allowed(topology.getName(), MOST_CHARACTERS),
            cluster.getUnassignedExecutors(topology).isEmpty(), flows);
    }

    /** True if a flow of some topology may have this name: component, task, component, task. */
    public static boolean isName(final String text) {
        return NAME.matcher(text).matches();
    }

    /** The host of a slot. As long as its executors count as alive it may be lost already: then the id of its node. */
    private static String host(final WorkerSlot slot, final Cluster cluster) {
        final String host = cluster.getHost(slot.getNodeId());
        return host == null ? slot.getNodeId() : host;
    }

    private static String name(final String sender, final int from, final String receiver, final int to) {
        return allowed(sender, COMPONENT_CHARACTERS) + "-" + from + "." + allowed(receiver, COMPONENT_CHARACTERS) + "-"
            + to;
    }

    /** What the controller allows in names: letters, digits, and inside also dots, hyphens and underscores. */
    private static String allowed(final String text, final int most) {
        final String clean = text.replaceAll("[^A-Za-z0-9._-]", "_").replaceFirst("^(?=[._-])", "x");
        return clean.substring(0, Math.min(most, clean.length()));
    }
}
