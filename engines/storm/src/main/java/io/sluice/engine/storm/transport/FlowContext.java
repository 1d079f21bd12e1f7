// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.EverySecond;
import io.sluice.engine.storm.Settings;
import io.sluice.engine.storm.report.ReportSender;
import io.sluice.engine.storm.transport.PeerConnection.Limits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.channel.ChannelOption;
import org.apache.storm.shade.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.storm.shade.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.storm.shade.io.netty.util.concurrent.DefaultThreadFactory;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.StormBoundedExponentialBackoffRetry;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker's connections: it receives with Storm's own server, and sends over a connection for each pair of tasks. */
public final class FlowContext implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FlowContext.class);
    private static final List<String> NOT_OFFERED = List.of(Config.STORM_MESSAGING_NETTY_AUTHENTICATION,
        Config.STORM_MESSAGING_NETTY_TLS_ENABLE);
    private static final int DEFAULT_FLUSH_TIMEOUT_MS = 600_000;
    private static final int CONNECT_TIMEOUT_MS = 5_000;
    private static final int TRY_FOR_EVER = -1;

    private final Map<String, Object> conf;
    private final StormMetricRegistry metrics;
    private final Settings settings;
    private final Context servers = new Context();
    private final NioEventLoopGroup threads;
    private final NameLookups lookups;
    private final List<PeerConnection> peers = new CopyOnWriteArrayList<>();
    private final Map<AtomicBoolean[], TaskGates> gates = new IdentityHashMap<>();
    private final List<EverySecond> reporters = new CopyOnWriteArrayList<>();

    /**
     * Makes ready what connections share.
     *
     * @throws IllegalArgumentException that names a key of the configuration which can't be followed
     */
    public FlowContext(final Map<String, Object> conf, final StormMetricRegistry metrics) {
        this(conf, metrics, InetAddress::getByName);
    }

    FlowContext(final Map<String, Object> conf, final StormMetricRegistry metrics, final NameLookups.Names names) {
        for (var key : NOT_OFFERED) {
            if (ObjectReader.getBoolean(conf.get(key), false)) {
                throw new IllegalArgumentException(key + " is true, and connections of task pairs have no such thing:"
                    + " set it to false, or storm.messaging.transport to " + Context.class.getName());
            }
        }
        this.conf = conf;
        this.metrics = metrics;
        settings = Settings.from(conf);
        servers.prepare(conf, metrics);
        threads = new NioEventLoopGroup(Math.max(1, number(Config.STORM_MESSAGING_NETTY_CLIENT_WORKER_THREADS)),
            new DefaultThreadFactory("sluice-flows", true));
        lookups = new NameLookups(names);
    }

    /** Takes what other workers send, and begins to report. */
    public IConnection bind(final String topology, final int port, final IConnectionCallback callback,
            final Supplier<Object> newConnectionResponse) {
        final var arrivals = new Arrivals(callback);
        final var server = servers.bind(topology, port, arrivals, newConnectionResponse);
        final var sampler = new FlowSampler(topology, new Endpoint(host(), server.getPort()), () -> peers, arrivals,
            new TaskQueues(metrics));
        final var reporter = new Reporter(sampler, new ReportSender(settings.nimbuses()),
            settings.pacing() ? rates -> peers.forEach(peer -> peer.pace(rates)) : rates -> { }, System::nanoTime);
        reporters.add(new EverySecond("sluice-reporter", "rates of meters can't be followed", reporter::report));
        return server;
    }

    /** Connects to another worker. */
    public IConnection connect(final String host, final int port, final AtomicBoolean[] remoteBackPressure) {
        peers.removeIf(peer -> peer.status() == Status.Closed && peer.closed().isDone());
        final var bootstrap = new Bootstrap().group(threads).channel(NioSocketChannel.class).resolver(lookups)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MS);
        final var retry = new StormBoundedExponentialBackoffRetry(number(Config.STORM_MESSAGING_NETTY_MIN_SLEEP_MS),
            number(Config.STORM_MESSAGING_NETTY_MAX_SLEEP_MS), TRY_FOR_EVER);
        final var limits = new Limits(number(Config.STORM_MESSAGING_NETTY_BUFFER_HIGH_WATERMARK),
            number(Config.STORM_MESSAGING_NETTY_BUFFER_LOW_WATERMARK));
        final var peer = new PeerConnection(new Dialler(bootstrap, host, port,
            number(Config.STORM_MESSAGING_NETTY_BUFFER_SIZE), retry, System::nanoTime),
            gates(remoteBackPressure), limits, new Tidings(conf));
        peers.add(peer);
        return peer;
    }

    /** Sends what was taken, for as long as Storm would wait, and ends all threads. */
    @Override
    public void close() {
        reporters.forEach(EverySecond::close);
        final int patienceMs = ObjectReader.getInt(conf.get(Config.STORM_MESSAGING_NETTY_FLUSH_TIMEOUT_MS),
            DEFAULT_FLUSH_TIMEOUT_MS);
        try {
            CompletableFuture.allOf(peers.stream().map(PeerConnection::closed).toArray(CompletableFuture<?>[]::new))
                .get(patienceMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.error("not all was sent within {} ms; the rest is dropped", patienceMs);
        } catch (ExecutionException e) {
            throw new IllegalStateException("connections can't be closed", e);
        } catch (InterruptedException e) {
            LOG.warn("interrupted while the last tuples were sent; the rest is dropped");
            Thread.currentThread().interrupt();
        }
        servers.term();
        lookups.close();
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** A worker's connections share its flags, and what is known of them: tasks move from one worker to another. */
    private TaskGates gates(final AtomicBoolean[] flags) {
        synchronized (gates) {
            return gates.computeIfAbsent(flags, TaskGates::new);
        }
    }

    private String host() {
        try {
            return conf.get(Config.STORM_LOCAL_HOSTNAME) instanceof String name ? name : Utils.hostname();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private int number(final String key) {
        return ObjectReader.getInt(conf.get(key));
    }
}
