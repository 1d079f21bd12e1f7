// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.control.FakeController;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.scheduler.SupervisorDetails;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole Storm in this process: ZooKeeper, Nimbus, and workers on three loopback addresses that talk over TCP. */
@Timeout(value = 300)
class LocalTopologyTest {
    private static final Set<Integer> ACKED = ConcurrentHashMap.newKeySet();
    private static final Set<Integer> FAILED = ConcurrentHashMap.newKeySet();
    private static final int TUPLES = 2000;

    @TempDir
    private Path folder;

    /** Supervisors are named for the addresses that stand for their hosts. */
    private static final class Loopbacks extends Nimbus.StandaloneINimbus {
        private static final String PREFIX = "127.0.0.";

        @Override
        public String getHostName(final Map<String, SupervisorDetails> supervisors, final String id) {
            return id;
        }
    }

    /** Emits the numbers up to {@link #TUPLES}, with payload, and remembers what became of each. */
    public static final class Numbers extends BaseRichSpout {
        private static final long serialVersionUID = 1;
        private transient SpoutOutputCollector collector;
        private int next;

        @Override
        public void open(final Map<String, Object> conf, final TopologyContext context,
                final SpoutOutputCollector out) {
            collector = out;
        }

        @Override
        public void nextTuple() {
            if (next < TUPLES) {
                collector.emit(new Values(next, "x".repeat(500)), next);
                next++;
            }
        }

        @Override
        public void ack(final Object id) {
            ACKED.add((Integer) id);
        }

        @Override
        public void fail(final Object id) {
            FAILED.add((Integer) id);
        }

        @Override
        public void declareOutputFields(final OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number", "payload"));
        }
    }

    /** Passes on what it gets. */
    public static final class Relay extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(final Tuple tuple, final BasicOutputCollector out) {
            out.emit(new Values(tuple.getInteger(0), tuple.getString(1)));
        }

        @Override
        public void declareOutputFields(final OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number", "payload"));
        }
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aTopologyRunsOverFlowsOfItsOwnAndTheControllerKnowsThem() throws Exception {
        final var password = Files.writeString(folder.resolve("password"), "secret");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        try (var controller = new FakeController("storm", "admin", "secret");
                var cluster = new LocalCluster.Builder().withSupervisors(0).withINimbus(new Loopbacks())
                    .withDaemonConf(Config.STORM_LOCAL_MODE_ZMQ, true)
                    .withDaemonConf(Config.STORM_MESSAGING_TRANSPORT, FlowTransport.class.getName())
                    .withDaemonConf(DaemonConfig.STORM_SCHEDULER, FlowScheduler.class.getName())
                    .withDaemonConf(Settings.CONTROLLER, controller.address().toString())
                    .withDaemonConf(Settings.PASSWORD_FILE, password.toString())
                    .withDaemonConf(Settings.REPORT_PORT, freePort())
                    .withDaemonConf(Settings.INTERVAL, 2).build()) {
            for (int host = 2; host <= 4; host++) {
                cluster.addSupervisor(1, Loopbacks.PREFIX + host);
            }
            final var builder = new TopologyBuilder();
            builder.setSpout("numbers", new Numbers(), 1);
            builder.setBolt("first", new Relay(), 2).shuffleGrouping("numbers");
            builder.setBolt("second", new Relay(), 2).fieldsGrouping("first", new Fields("number"));
            final var conf = new Config();
            conf.setNumWorkers(3);
            conf.setMaxSpoutPending(100);
            try (var topology = cluster.submitTopology("numbers", conf, builder.createTopology())) {
                await(() -> ACKED.size() == TUPLES);
                await(() -> controller.reports().size() >= 2);
                assertEquals(Set.of(), FAILED);
                final var flows = controller.flows("numbers").values();
                assertTrue(flows.size() >= 4, flows.toString());
                assertEquals(flows.size(), flows.stream().map(flow -> flow.get("source-port")).distinct().count());
                assertEquals(Set.of("127.0.0.2", "127.0.0.3", "127.0.0.4"),
                    flows.stream().map(flow -> flow.get("destination")).collect(Collectors.toSet()));
                final long carried = controller.reports().stream()
                    .flatMap(report -> Json.objects(report, "flow").stream())
                    .mapToLong(flow -> Long.parseLong((String) flow.get("transferred"))).sum();
                assertTrue(carried < TUPLES * 2L * 700, "bytes: " + carried);
            }
            await(() -> !controller.has("numbers"));
        }
    }
}
