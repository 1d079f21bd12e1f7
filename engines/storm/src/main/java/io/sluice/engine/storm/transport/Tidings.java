// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.MessageDecoder;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.shade.io.netty.channel.ChannelHandler;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.shade.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.storm.shade.io.netty.channel.ChannelInitializer;
import org.apache.storm.shade.io.netty.channel.socket.SocketChannel;
import org.apache.storm.shade.io.netty.util.ReferenceCountUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Storm's server sends to whoever is connected: which tasks can't keep up, and how full their queues are. It says
 * so on each connection, and is heard on one.
 */
final class Tidings {
    /** Reads and forgets. */
    static final ChannelHandler UNHEARD = new Unheard();

    private static final Logger LOG = LoggerFactory.getLogger(Tidings.class);
    /** Task of messages with loads, by Storm's agreement. */
    private static final int LOADS = -1;

    private final Map<String, Object> conf;

    Tidings(final Map<String, Object> conf) {
        this.conf = conf;
    }

    /** Tells {@code gates} of back-pressure and {@code loads} of loads by task. */
    ChannelHandler handler(final TaskGates gates, final Consumer<Map<Integer, Double>> loads) {
        return new ChannelInitializer<SocketChannel>() {
            @Override
            protected void initChannel(final SocketChannel channel) {
                final var values = new KryoValuesDeserializer(conf);
                channel.pipeline().addLast(new MessageDecoder(values), new Heard(gates, loads, values));
            }
        };
    }

    private static class Unheard extends ChannelInboundHandlerAdapter {
        @Override
        public final boolean isSharable() {
            return true;
        }

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public final void exceptionCaught(final ChannelHandlerContext context, final Throwable cause) {
            LOG.info("{} breaks: {}", context.channel(), cause.toString());
            context.close();
        }
    }

    private static final class Heard extends Unheard {
        private final TaskGates gates;
        private final Consumer<Map<Integer, Double>> loads;
        private final KryoValuesDeserializer values;

        Heard(final TaskGates gates, final Consumer<Map<Integer, Double>> loads, final KryoValuesDeserializer values) {
            this.gates = gates;
            this.loads = loads;
            this.values = values;
        }

        @Override
        public void channelRead(final ChannelHandlerContext context, final Object message) {
            if (message instanceof BackPressureStatus status) {
                gates.told(status.bpTasks, status.nonBpTasks);
            } else if (message instanceof List<?> batch) {
                batch.forEach(each -> told((TaskMessage) each));
            } else {
                super.channelRead(context, message);
            }
        }

        @SuppressWarnings("unchecked")
        private void told(final TaskMessage message) {
            if (message.task() == LOADS) {
                loads.accept((Map<Integer, Double>) values.deserialize(message.message()).get(0));
            }
        }
    }
}
