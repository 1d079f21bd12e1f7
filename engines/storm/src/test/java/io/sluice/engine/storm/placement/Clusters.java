// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.ExecutorDetails;
import org.apache.storm.scheduler.SchedulerAssignment;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.scheduler.Topologies;
import org.apache.storm.scheduler.TopologyDetails;
import org.apache.storm.scheduler.resource.normalization.ResourceMetrics;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;

/** Clusters as Nimbus makes them, without Nimbus. */
public final class Clusters {
    /** Executors of the topology below by component, in Storm's order, which is by name. */
    private static final Map<String, Integer> EXECUTORS = new LinkedHashMap<>();

    static {
        EXECUTORS.put("__acker", 1);
        EXECUTORS.put("count", 2);
        EXECUTORS.put("report", 1);
        EXECUTORS.put("split", 2);
        EXECUTORS.put("words", 1);
    }

    private Clusters() {
        // functions
    }

    /** words 7, split 5 and 6, count 2 and 3, report 4, the acker 1. */
    public static TopologyDetails topology(final String name, final int workers, final Map<String, Object> more) {
        final var builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout(), EXECUTORS.get("words"));
        builder.setBolt("split", new TestWordCounter(), EXECUTORS.get("split")).shuffleGrouping("words");
        builder.setBolt("count", new TestWordCounter(), EXECUTORS.get("count")).fieldsGrouping("split",
            new Fields("word"));
        builder.setBolt("report", new TestWordCounter(), EXECUTORS.get("report")).globalGrouping("count");
        final var executors = new HashMap<ExecutorDetails, String>();
        EXECUTORS.forEach((component, number) -> {
            for (int each = 0; each < number; each++) {
                final int task = executors.size() + 1;
                executors.put(new ExecutorDetails(task, task), component);
            }
        });
        final var conf = new HashMap<String, Object>(Utils.readDefaultConfig());
        conf.put(Config.TOPOLOGY_NAME, name);
        conf.putAll(more);
        return new TopologyDetails(name + "-1-17", conf, builder.createTopology(), workers, executors, "me");
    }

    /** The cluster without a host, whose executors still count as alive. */
    public static Cluster without(final String host, final Cluster cluster, final TopologyDetails... topologies) {
        final var left = new HashMap<>(cluster.getSupervisors());
        left.values().removeIf(supervisor -> supervisor.getHost().equals(host));
        return cluster(left, cluster.getAssignments(), topologies);
    }

    /** Hosts h1, h2 and so on, each with slots 6700, 6701 and so on. */
    public static Cluster cluster(final int hosts, final int slots,
            final Map<String, ? extends SchedulerAssignment> assignments, final TopologyDetails... topologies) {
        final var supervisors = new HashMap<String, SupervisorDetails>();
        final var ports = java.util.stream.IntStream.range(6700, 6700 + slots).boxed().toList();
        for (int host = 1; host <= hosts; host++) {
            final String id = "s" + (hosts - host);
            supervisors.put(id, new SupervisorDetails(id, "h" + host, List.of(), ports));
        }
        return cluster(supervisors, assignments, topologies);
    }

    private static Cluster cluster(final Map<String, SupervisorDetails> supervisors,
            final Map<String, ? extends SchedulerAssignment> assignments, final TopologyDetails... topologies) {
        return new Cluster(new Nimbus.StandaloneINimbus(), new ResourceMetrics(new StormMetricsRegistry()), supervisors,
            assignments, new Topologies(topologies), Utils.readDefaultConfig());
    }
}
