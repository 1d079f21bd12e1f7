// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.concurrent.CompletionStage;

/**
 * The proxy of a site and, in the same process, the node {@code site/controller}, connected as any other node. The
 * node's keys are new at each start and in no file. Not thread-safe; the node and the proxy are.
 */
final class SiteBus implements AutoCloseable {
    private static final String EVERYWHERE = "0.0.0.0";
    private static final String HERE = "127.0.0.1";

    private final CurveKeys nodeKeys = CurveKeys.generate();
    private final SiteProxy proxy;
    private final ZmqBus node;
    private SiteConfig config;
    private CurveKeys keys;

    /**
     * Listens, and connects the node.
     *
     * @param keys of the proxy
     * @param epochs the node's {@link EpochFile}
     * @throws IOException if there is no epoch
     * @throws org.zeromq.ZMQException if the address can't be had
     * @throws IllegalArgumentException if it is none
     */
    SiteBus(final SiteConfig config, final CurveKeys keys, final Path epochs, final InstantSource clock)
            throws IOException {
        this.config = config;
        this.keys = keys;
        proxy = new SiteProxy(config.site(), config.bind(), keys, allowed(), BusLimits.DEFAULT);
        try {
            proxy.update(keys, allowed(), config.remotes());
            node = new ZmqBus(name(), remote(), nodeKeys, BusLimits.DEFAULT, EpochFile.next(epochs, clock));
        } catch (IOException | RuntimeException e) {
            proxy.close();
            throw e;
        }
    }

    /** Returns whether the thread of the proxy or of the node has ended, after which it is of no use. */
    boolean hasEnded() {
        return proxy.hasEnded() || node.hasEnded();
    }

    SiteConfig config() {
        return config;
    }

    SiteProxy proxy() {
        return proxy;
    }

    ZmqBus node() {
        return node;
    }

    /** Uses another configuration of the same proxy from now on. */
    void update(final SiteConfig newConfig) {
        config = newConfig;
        proxy.update(keys, allowed(), config.remotes());
    }

    /** Uses other keys from now on. The node connects anew when the proxy has them: with the old key it could not. */
    void update(final CurveKeys newKeys) {
        keys = newKeys;
        proxy.update(keys, allowed(), config.remotes());
        final var way = remote();
        proxy.state().whenComplete((state, failure) -> node.reconnect(way, nodeKeys));
    }

    CompletionStage<BusState> state() {
        final var publicKey = keys.publicKey();
        return proxy.state().thenApply(state -> new BusState(publicKey, nodeKeys.publicKey(), state, node.state(),
            proxy.refusedConnections(), proxy.refusedKeys()));
    }

    private NodeName name() {
        return new NodeName(config.site(), EmbeddedBus.NODE);
    }

    private AllowList allowed() {
        final var names = new HashMap<>(config.allowed().names());
        names.put(nodeKeys.publicKey(), name().toString());
        return new AllowList(names);
    }

    /** Returns the way from the node to the proxy, on this machine. */
    private Remote remote() {
        final var address = proxy.address();
        final var host = config.address().equals(EVERYWHERE) ? HERE : config.address();
        return new Remote("tcp://" + host + address.substring(address.lastIndexOf(':')), keys.publicKey());
    }

    @Override
    public void close() {
        try {
            node.close();
        } finally {
            proxy.close();
        }
    }
}
