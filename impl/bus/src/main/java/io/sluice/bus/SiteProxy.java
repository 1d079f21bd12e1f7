// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;
import zmq.Msg;
import zmq.io.Metadata;

/**
 * A site's proxy on its sockets: one that nodes and sites before this one in ASCII order connect to, and one to each
 * site after it. Thread-safe.
 */
public final class SiteProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SiteProxy.class);

    private final String site;
    private final BusLimits limits;
    private final ProxyCore core;
    private final Doorman doorman;
    private final Loop loop;
    private final ZMQ.Socket router;
    private final String address;
    private final Map<ByteBuffer, Called> called = new HashMap<>();
    private final Map<String, Trunk> trunks = new LinkedHashMap<>();
    private volatile AllowList allowed;

    /**
     * Opens the site's address; {@link #update} tells of the other sites.
     *
     * @param bind {@code tcp://address:port}; port {@code *} for any
     * @throws ZMQException if the address can't be had
     */
    public SiteProxy(final String site, final String bind, final CurveKeys keys, final AllowList allowed,
            final BusLimits limits) {
        this.site = site;
        this.limits = limits;
        this.allowed = allowed;
        core = new ProxyCore(site, limits);
        doorman = new Doorman(key -> this.allowed.name(key).isPresent());
        loop = new Loop("sluice-bus-proxy-" + site, this::tick, core::drain);
        final var zap = loop.socket(SocketType.REP, doorman::answer);
        zap.bind(Doorman.ADDRESS);
        loop.listen(zap);
        router = loop.socket(SocketType.ROUTER, socket -> receive());
        router.setCurveServer(true);
        keys.identify(router);
        router.setRouterMandatory(true);
        router.setSndHWM(limits.queue());
        router.setRcvHWM(limits.queue());
        router.setMaxMsgSize(FrameCodec.FRAME_LIMIT);
        router.bind(bind);
        address = router.getLastEndpoint();
        loop.listen(router);
        loop.start();
    }

    /** A connection that came here, and the key that it was let in with. */
    private record Called(Peer peer, String key) { }

    /** The way to another site's proxy that this one connects to. */
    private final class Trunk {
        private final Dealer dealer;
        private final Peer peer;

        Trunk(final String name, final Remote remote, final CurveKeys keys) {
            dealer = new Dealer(loop, limits.queue(), remote, keys, this::receive);
            peer = core.call(name, dealer::send);
        }

        private void receive(final Frame frame) {
            core.receive(peer, frame);
        }

        void reopen(final Remote remote, final CurveKeys keys) {
            dealer.reopen(remote, keys);
            peer.link.renew();
        }

        void tick() {
            dealer.tick(peer.link.isUp());
        }

        void close() {
            dealer.close();
            core.drop(peer);
        }
    }

    /** Returns where this listens. */
    public String address() {
        return address;
    }

    /**
     * Uses these from now on. A key that is not allowed any more ends its sessions, also one that is in use; other
     * sites are connected to anew. With new keys of its own, connections that are there stay, and new ones need them.
     *
     * @param remotes all other sites, or those that are known, by name; those before this one connect here by
     *     themselves
     */
    public void update(final CurveKeys keys, final AllowList nowAllowed, final Map<String, Remote> remotes) {
        loop.execute(() -> {
            allowed = nowAllowed;
            keys.identify(router);
            trunks.entrySet().removeIf(entry -> {
                final boolean gone = !remotes.containsKey(entry.getKey());
                if (gone) {
                    entry.getValue().close();
                }
                return gone;
            });
            remotes.forEach((name, remote) -> {
                if (trunks.containsKey(name)) {
                    trunks.get(name).reopen(remote, keys);
                } else if (site.compareTo(name) < 0) {
                    trunks.put(name, new Trunk(name, remote, keys));
                }
            });
            called.values().stream()
                .filter(one -> !nowAllowed.name(one.key()).equals(Optional.ofNullable(one.peer().name())))
                .forEach(one -> core.drop(one.peer()));
        });
    }

    private void tick() {
        trunks.values().forEach(Trunk::tick);
        core.tick();
        called.values().removeIf(one -> !core.has(one.peer()));
    }

    /** Takes a message of the called side. Returns false if there is none. */
    private boolean receive() {
        final byte[] id = router.recv(ZMQ.DONTWAIT);
        if (id == null) {
            return false;
        }
        final var message = router.base().recv(0);
        final boolean torn = message.hasMore();
        while (router.hasReceiveMore()) {
            router.recv();
        }
        final var key = user(message);
        final var name = allowed.name(key);
        if (torn || name.isEmpty()) {
            LOG.debug("ignored a frame with the key {}", key);
            return true;
        }
        switch (FrameCodec.decode(message.data())) {
            case FrameCodec.Decoded.Valid valid -> receive(id, key, name.orElseThrow(), valid.frame());
            case FrameCodec.Decoded.Invalid invalid -> LOG.debug("from {}: {}", name.orElseThrow(), invalid.reason());
        }
        return true;
    }

    private static String user(final Msg message) {
        final var metadata = message.getMetadata();
        return metadata == null ? "" : metadata.get(Metadata.USER_ID);
    }

    private void receive(final byte[] id, final String key, final String name, final Frame frame) {
        if (frame.kind() == Kind.HELLO && !frame.node().equals(name)) {
            LOG.warn("{} said to be {}", name, frame.node());
            return;
        }
        final var known = called.get(ByteBuffer.wrap(id));
        if (known != null && core.has(known.peer())) {
            core.receive(known.peer(), frame);
        } else {
            final var peer = core.accept(out -> send(id, out));
            called.put(ByteBuffer.wrap(id), new Called(peer, key));
            core.receive(peer, frame);
        }
    }

    private boolean send(final byte[] id, final Frame frame) {
        try {
            return router.send(id, ZMQ.SNDMORE | ZMQ.DONTWAIT) && router.send(FrameCodec.encode(frame), ZMQ.DONTWAIT);
        } catch (ZMQException e) {
            LOG.debug("the connection is gone", e);
            return false;
        }
    }

    /** Returns what an operator can see. */
    public CompletionStage<ProxyState> state() {
        final var state = new CompletableFuture<ProxyState>();
        loop.execute(() -> state.complete(core.state()));
        return state;
    }

    /** Returns how often a connection with an unknown key was refused. */
    public long refusedConnections() {
        return doorman.refused();
    }

    @Override
    public void close() {
        loop.close();
    }
}
