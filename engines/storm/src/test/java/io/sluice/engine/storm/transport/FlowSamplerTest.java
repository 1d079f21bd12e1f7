// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static io.sluice.engine.storm.transport.FramesTest.message;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.TaskPair;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a worker that only receives reports; the ends that send are in {@link FlowContextTest}. */
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
}
