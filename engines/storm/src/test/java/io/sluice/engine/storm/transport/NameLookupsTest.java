// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static io.sluice.engine.storm.transport.FramesTest.message;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker whose connections share a thread, as by default, and whose name server answers when the test says so. */
@Timeout(60)
class NameLookupsTest {
    private static final int FRAME_BYTES = 1006;
    private static final int PATIENCE_MS = 10_000;

    private final AtomicBoolean[] closed = IntStream.range(0, 8).mapToObj(task -> new AtomicBoolean())
        .toArray(AtomicBoolean[]::new);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    private InetAddress address(final String host) throws UnknownHostException {
        if (host.equals("slow")) {
            asked.countDown();
            try {
                answered.await(3 * PATIENCE_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("the worker ends", e);
            }
        }
        return InetAddress.getLoopbackAddress();
    }

    private static void send(final IConnection connection) {
        connection.send(List.of(message(1, 2, 1000)).iterator());
    }

    @Test
    void aNameThatIsLookedUpForLongKeepsNoOtherConnectionFromSending() throws Exception {
        final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.STORM_MESSAGING_NETTY_FLUSH_TIMEOUT_MS, 1000);
        try (var context = new FlowContext(conf, new StormMetricRegistry(), this::address);
                var here = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                var there = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            there.setSoTimeout(PATIENCE_MS);
            final var known = context.connect("127.0.0.1", here.getLocalPort(), closed);
            try (var control = here.accept()) {
                send(known);
                try (var flow = here.accept()) {
                    flow.setSoTimeout(PATIENCE_MS);
                    final var slow = context.connect("slow", there.getLocalPort(), closed);
                    send(slow);
                    asked.await();
                    send(known);
                    assertEquals(2 * FRAME_BYTES, flow.getInputStream().readNBytes(2 * FRAME_BYTES).length);
                    here.setSoTimeout(PATIENCE_MS);
                    final var another = context.connect("another", here.getLocalPort(), closed);
                    here.accept().close();
                    another.close();
                    answered.countDown();
                    there.accept().close();
                    there.accept().close();
                    known.close();
                    slow.close();
                }
            }
        }
    }
}
