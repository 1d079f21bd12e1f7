// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static io.sluice.engine.storm.transport.FramesTest.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.report.WorkerReport.Sent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a worker reports that only receives, or whose connection breaks; more of who sends is in FlowContextTest. */
@Timeout(60)
class FlowSamplerTest {
    @Test
    void reportsAttributeWhatWaitsAtTheReceiver() throws Exception {
        final var loopback = InetAddress.getLoopbackAddress();
        try (var listener = new ServerSocket(0, 5, loopback)) {
            final var worker = new Endpoint("w", listener.getLocalPort());
            final var client = new Socket(loopback, listener.getLocalPort());
            final var accepted = listener.accept();
            client.getOutputStream().write(new byte[700]);
            final var arrivals = new Arrivals(batch -> { });
            arrivals.recv(Collections.nCopies(4, message(1, 5, 94)));
            final var report = new FlowSampler("t-1-1", worker, List::of, arrivals, task -> task == 5 ? 3 : 0).sample();
            assertEquals(Map.of(new TaskPair(1, 5), 300L), report.delivered());
            assertEquals(List.of(700L), new ArrayList<>(report.unread().values()));
            assertEquals(client.getLocalPort(), new ArrayList<>(report.unread().keySet()).get(0).remote().port());
            accepted.close();
            client.close();
        }
    }

    @Test
    void whatTheKernelHeldOfAConnectionThatBrokeHasNotPassed() throws Exception {
        final var conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.STORM_MESSAGING_NETTY_BUFFER_SIZE, 100_000);
        conf.put(Config.STORM_MESSAGING_NETTY_FLUSH_TIMEOUT_MS, 1000);
        try (var listener = new ServerSocket(); var context = new FlowContext(conf, new StormMetricRegistry())) {
            listener.setReceiveBufferSize(50_000);
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final var sender = (PeerConnection) context.connect("127.0.0.1", listener.getLocalPort(),
                new AtomicBoolean[] {new AtomicBoolean(), new AtomicBoolean(), new AtomicBoolean()});
            final var control = listener.accept();
            sender.send(Collections.nCopies(2000, message(1, 2, 1000)).iterator());
            final var sampler = new FlowSampler("t-1-1", new Endpoint("w", 1), () -> List.of(sender),
                new Arrivals(batch -> { }), task -> 0);
            final Sent stalled;
            try (var unread = listener.accept()) {
                stalled = stalled(sampler);
                assertTrue(stalled.queuedBytes() > sender.progress().get(stalled.pair()).pendingBytes(), "in all");
            }
            final var again = listener.accept();
            while (sender.progress().get(stalled.pair()).connection().isEmpty()
                    || sender.progress().get(stalled.pair()).pendingBytes() > 0) {
                Thread.sleep(1);
            }
            assertEquals(stalled.passedBytes(), sampler.sample().sent().get(0).passedBytes());
            sender.close();
            again.close();
            control.close();
        }
    }

    /** The only flow, once the other end takes nothing more. */
    private static Sent stalled(final FlowSampler sampler) throws Exception {
        List<Sent> before = List.of();
        var flows = sampler.sample().sent();
        while (flows.isEmpty() || !flows.equals(before)) {
            Thread.sleep(200);
            before = flows;
            flows = sampler.sample().sent();
        }
        return flows.get(0);
    }
}
