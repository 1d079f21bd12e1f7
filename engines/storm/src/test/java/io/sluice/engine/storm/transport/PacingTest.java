// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static io.sluice.engine.storm.transport.FramesTest.number;
import static io.sluice.engine.storm.transport.FramesTest.numbered;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.Settings;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.ReportServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker that sends to itself on loopback, and a Nimbus that answers its reports with rates. */
@Timeout(60)
class PacingTest {
    private static final TaskPair PACED = new TaskPair(1, 2);
    private static final TaskPair FREE = new TaskPair(1, 3);
    private static final int BYTES = 10_000;
    /** So slow that a tuple takes a minute and more. */
    private static final MeterRates SLOW = new MeterRates(Map.of(PACED, MeterRates.LEAST));

    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private final Map<TaskPair, List<Integer>> received = new ConcurrentHashMap<>();
    private final Semaphore reports = new Semaphore(0);
    private ReportServer nimbus;
    private FlowContext context;

    @BeforeEach
    void start() throws Exception {
        nimbus = new ReportServer(0, report -> {
            reports.release();
            return Optional.of(SLOW);
        }, () -> "{}");
        conf.put("nimbus.seeds", List.of("127.0.0.1"));
        conf.put(Settings.REPORT_PORT, nimbus.port());
        conf.put("storm.messaging.netty.flush.timeout.ms", 1000);
    }

    @AfterEach
    void stop() {
        context.close();
        nimbus.close();
    }

    private PeerConnection connect() {
        context = new FlowContext(conf, new StormMetricRegistry());
        final IConnection server = context.bind("t-1-1", 0, batch -> batch.forEach(one -> received
            .computeIfAbsent(Frames.pair(one), pair -> new CopyOnWriteArrayList<>()).add(number(one))),
            () -> new BackPressureStatus("w", new ArrayList<>(), new ArrayList<>()));
        return (PeerConnection) context.connect("127.0.0.1", server.getPort(), IntStream.range(0, 8)
            .mapToObj(task -> new AtomicBoolean()).toArray(AtomicBoolean[]::new));
    }

    private static void send(final PeerConnection sender, final TaskPair pair, final int number) {
        sender.send(List.of(numbered(pair, BYTES, number)).iterator());
    }

    private int count(final TaskPair pair) {
        return received.getOrDefault(pair, List.of()).size();
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    @Test
    void aFlowKeepsToTheRateThatNimbusSaysAndToNoneOnceNobodySaysOne() throws Exception {
        final var sender = connect();
        send(sender, PACED, 0);
        await(() -> count(PACED) == 1);
        reports.drainPermits();
        reports.acquire(2); // the rates of the first were passed on before the second
        send(sender, PACED, 1);
        send(sender, FREE, 0);
        await(() -> count(FREE) == 1);
        assertEquals(1, count(PACED));
        assertTrue(sender.progress().get(PACED).pendingBytes() > BYTES / 2);

        nimbus.close();

        await(() -> count(PACED) == 2);
    }

    @Test
    void withoutPacingRatesAreNotFollowed() throws Exception {
        conf.put(Settings.PACING, false);
        final var sender = connect();
        send(sender, PACED, 0);
        await(() -> count(PACED) == 1);
        reports.drainPermits();
        reports.acquire(2);
        send(sender, PACED, 1);
        await(() -> count(PACED) == 2);
    }

    @Test
    void tuplesArriveWholeAndInOrderWhileThePaceChanges() throws Exception {
        conf.put(Settings.PACING, false);
        final var sender = connect();
        for (int number = 0; number < 400; number++) {
            send(sender, PACED, number);
            send(sender, FREE, number);
            if (number % 20 == 19) {
                sender.pace(new MeterRates(Map.of(PACED, 1_000_000L << number / 20)));
                Thread.sleep(10);
            }
        }
        await(() -> count(FREE) == 400);
        sender.pace(MeterRates.NONE);
        await(() -> count(PACED) == 400);
        final var inOrder = IntStream.range(0, 400).boxed().toList();
        assertEquals(Map.of(PACED, inOrder, FREE, inOrder), received);
        await(() -> sender.progress().values().stream().allMatch(flow -> flow.pendingBytes() == 0));
        assertEquals(400 * (BYTES + 6), sender.progress().get(PACED).takenBytes());
    }
}
