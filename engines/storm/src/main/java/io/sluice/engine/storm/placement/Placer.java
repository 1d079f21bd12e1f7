// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

import io.sluice.engine.storm.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.WorkerSlot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places the executors of a topology that have no place: one after the other, stage by stage, over as many workers as
 * the topology asks for, one on each host before a second on any, hosts by name. Components that
 * {@link Settings#PLACEMENT} names go to their hosts instead. Executors that have a place keep it. Equal clusters have
 * equal placements.
 */
public final class Placer {
    private static final Logger LOG = LoggerFactory.getLogger(Placer.class);

    private final TopologyDetails topology;
    private final Cluster cluster;
    private final Map<String, List<String>> pinned;
    /** Slots that are free or have executors of this topology, by host, the latter first; none of lost hosts. */
    private final Map<String, List<WorkerSlot>> slotsByHost = new TreeMap<>();
    private final List<WorkerSlot> own;

    private Placer(final TopologyDetails topology, final Cluster cluster) {
        this.topology = topology;
        this.cluster = cluster;
        pinned = pinned(topology.getConf().get(Settings.PLACEMENT), topology.getExecutorToComponent().values());
        own = sorted(cluster.getUsedSlotsByTopologyId(topology.getId()));
        own.forEach(this::offer);
        sorted(cluster.getAvailableSlots()).forEach(this::offer);
    }

    /** Places what has no place, all of it or nothing. */
    public static void place(final TopologyDetails topology, final Cluster cluster) {
        try {
            new Placer(topology, cluster).place();
        } catch (IllegalArgumentException e) {
            LOG.warn("{} is not placed: {}", topology.getId(), e.getMessage());
            cluster.setStatus(topology.getId(), e.getMessage());
        }
    }

    private void place() {
        final var executors = inOrder(cluster.getUnassignedExecutors(topology));
        if (executors.isEmpty()) {
            return;
        }
        final var plan = new LinkedHashMap<WorkerSlot, List<ExecutorDetails>>();
        final var round = new ArrayList<WorkerSlot>();
        int turn = 0;
        for (var executor : executors) {
            final String component = topology.getExecutorToComponent().get(executor);
            final WorkerSlot slot;
            if (pinned.containsKey(component)) {
                slot = pinnedSlot(executor, component);
            } else {
                if (round.isEmpty()) {
                    round.addAll(round());
                }
                slot = round.get(turn++ % round.size());
            }
            plan.computeIfAbsent(slot, planned -> new ArrayList<>()).add(executor);
        }
        plan.forEach(this::assign);
        cluster.setStatus(topology.getId(), "Placed by Sluice");
        LOG.info("{} is placed: {}", topology.getId(), plan);
    }

    /** A worker whose executors change starts anew. */
    private void assign(final WorkerSlot slot, final List<ExecutorDetails> executors) {
        final var assignment = cluster.getAssignmentById(topology.getId());
        final var all = new ArrayList<>(executors);
        if (assignment != null) {
            all.addAll(assignment.getSlotToExecutors().getOrDefault(slot, List.of()));
        }
        cluster.freeSlot(slot);
        cluster.assign(slot, topology.getId(), all);
    }

    private List<ExecutorDetails> inOrder(final Collection<ExecutorDetails> executors) {
        final var byStage = new StageOrder(topology.getTopology()).order();
        return executors.stream().sorted(Comparator
            .<ExecutorDetails, String>comparing(executor -> topology.getExecutorToComponent().get(executor), byStage)
            .thenComparing(ExecutorDetails::getStartTask)).toList();
    }

    /** The slots over which executors go round: new ones as long as workers are missing, else those that there are. */
    private List<WorkerSlot> round() {
        final var interleaved = new ArrayList<WorkerSlot>();
        final int deepest = slotsByHost.values().stream().mapToInt(List::size).max().orElse(0);
        for (int depth = 0; depth < deepest; depth++) {
            final int at = depth;
            slotsByHost.values().stream().filter(slots -> slots.size() > at)
                .forEach(slots -> interleaved.add(slots.get(at)));
        }
        interleaved.removeAll(own);
        final var added = interleaved.stream().limit(Math.max(0, topology.getNumWorkers() - own.size())).toList();
        final var slots = added.isEmpty() ? own : added;
        if (slots.isEmpty()) {
            throw new IllegalArgumentException("no supervisor has a free slot; add one, or end another topology");
        }
        return slots;
    }

    /** Each executor of a component has its host, in turn, or the next one that has a slot. */
    private WorkerSlot pinnedSlot(final ExecutorDetails executor, final String component) {
        final long turn = topology.getExecutorToComponent().entrySet().stream().filter(other ->
            other.getValue().equals(component) && other.getKey().getStartTask() < executor.getStartTask()).count();
        final var hosts = new ArrayList<>(pinned.get(component));
        Collections.rotate(hosts, (int) -turn);
        return hosts.stream().filter(slotsByHost::containsKey).findFirst().map(host -> slotsByHost.get(host).get(0))
            .orElseThrow(() -> new IllegalArgumentException(Settings.PLACEMENT + " puts " + component + " on "
                + String.join(" or ", hosts) + ", where no slot is free; hosts with one: " + slotsByHost.keySet()));
    }

    private void offer(final WorkerSlot slot) {
        slotsByHost.computeIfAbsent(cluster.getHost(slot.getNodeId()), host -> new ArrayList<>()).add(slot);
    }

    private List<WorkerSlot> sorted(final Collection<WorkerSlot> slots) {
        return slots.stream().filter(slot -> cluster.getHost(slot.getNodeId()) != null).sorted(Comparator
            .<WorkerSlot, String>comparing(slot -> cluster.getHost(slot.getNodeId()))
            .thenComparing(WorkerSlot::getNodeId).thenComparing(WorkerSlot::getPort)).toList();
    }

    /** Hosts by component. */
    private static Map<String, List<String>> pinned(final Object configured, final Collection<String> known) {
        final var hosts = new HashMap<String, List<String>>();
        if (configured == null) {
            return hosts;
        }
        if (!(configured instanceof Map<?, ?> components)) {
            throw new IllegalArgumentException(Settings.PLACEMENT + " has to give a list of hosts for components");
        }
        components.forEach((component, listed) -> {
            if (!(listed instanceof List<?> names) || names.isEmpty()) {
                throw new IllegalArgumentException(Settings.PLACEMENT + " has no list of hosts for " + component);
            }
            hosts.put(String.valueOf(component), names.stream().map(String::valueOf).toList());
        });
        hosts.keySet().stream().filter(component -> !known.contains(component)).findFirst().ifPresent(component -> {
            throw new IllegalArgumentException(Settings.PLACEMENT + " names " + component
                + ", which is no component; there are " + new TreeSet<>(known));
        });
        return hosts;
    }
}
