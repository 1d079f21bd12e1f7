// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import io.sluice.engine.storm.transport.FlowContext;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;
import org.apache.storm.metrics2.StormMetricRegistry;

/**
 * {@code storm.messaging.transport}: each pair of tasks has a TCP connection of its own, which switches can tell from
 * others, and whose bytes and queues are reported to Nimbus each second.
 */
public final class FlowTransport implements IContext {
    private Optional<FlowContext> context = Optional.empty();

    @Override
    public void prepare(final Map<String, Object> conf) {
        prepare(conf, new StormMetricRegistry());
    }

    @Override
    public void prepare(final Map<String, Object> conf, final StormMetricRegistry metrics) {
        context = Optional.of(new FlowContext(conf, metrics));
    }

    @Override
    public IConnection bind(final String topology, final int port, final IConnectionCallback callback,
            final Supplier<Object> newConnectionResponse) {
        return context.orElseThrow().bind(topology, port, callback, newConnectionResponse);
    }

    @Override
    public IConnection connect(final String topology, final String host, final int port,
            final AtomicBoolean[] remoteBackPressure) {
        return context.orElseThrow().connect(host, port, remoteBackPressure);
    }

    @Override
    public void term() {
        context.ifPresent(FlowContext::close);
    }
}
