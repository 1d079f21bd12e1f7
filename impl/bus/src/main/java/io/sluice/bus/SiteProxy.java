// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * A site's proxy on its sockets: one that nodes and sites before this one in ASCII order connect to, and one to each
 * site after it. Thread-safe.
 */
public final class SiteProxy implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SiteProxy.class);
    /** What the router says in the place of a connection that is gone; without metadata, so nobody else can. */
    private static final byte[] GONE = {0};
    private static final long ANSWER_S = 5;

    private final String site;
    private final BusLimits limits;
    private final ProxyCore core;
    private final Doorman doorman;
    private final Loop loop;
    private final ZMQ.Socket router;
    private final String address;
    private final Map<ByteBuffer, Called> called = new HashMap<>();
    private final Map<String, Trunk> trunks = new LinkedHashMap<>();
    private final Warnings warnings = new Warnings(InstantSource.system());
    private volatile AllowList allowed;

    /**
     * Opens the site's address; {@link #update} tells of the other sites.
     *
     * @param bind {@code tcp://address:port}; port {@code *} for any
     * @throws ZMQException if the address can't be had
     * @throws IllegalArgumentException if it is none
     */
    public SiteProxy(final String site, final String bind, final CurveKeys keys, final AllowList allowed,
            final BusLimits limits) {
        this(site, bind, keys, allowed, limits, Ephemerals.GRACE_TICKS);
    }

    /** Opens a proxy that takes an ephemeral node for gone after so many ticks. */
    SiteProxy(final String site, final String bind, final CurveKeys keys, final AllowList allowed,
            final BusLimits limits, final int graceTicks) {
        this.site = site;
        this.limits = limits;
        this.allowed = allowed;
        core = new ProxyCore(site, limits, graceTicks);
        doorman = new Doorman(key -> this.allowed.name(key).isPresent(), InstantSource.system());
        loop = new Loop("sluice-bus-proxy-" + site, this::tick, core::drain);
        try {
            router = listen(bind, keys);
        } catch (RuntimeException e) {
            loop.close();
            throw e;
        }
        address = router.getLastEndpoint();
        loop.start();
    }

    private ZMQ.Socket listen(final String bind, final CurveKeys keys) {
        final var zap = loop.socket(SocketType.REP, doorman::answer);
        zap.bind(Doorman.ADDRESS);
        loop.listen(zap);
        final var made = loop.socket(SocketType.ROUTER, socket -> receive());
        made.setCurveServer(true);
        keys.identify(made);
        made.setRouterMandatory(true);
        made.base().setSocketOpt(zmq.ZMQ.ZMQ_DISCONNECT_MSG, GONE);
        made.setSndHWM(limits.queue());
        made.setRcvHWM(limits.queue());
        made.setMaxMsgSize(FrameCodec.FRAME_LIMIT);
        made.bind(bind);
        loop.listen(made);
        return made;
    }

    /** A connection that came here, and the key that it was let in with. */
    private record Called(Peer peer, String key) { }

    /** The way to another site's proxy that this one connects to. */
    private final class Trunk {
        private final Dealer dealer;
        private final Peer peer;

        Trunk(final String name, final Remote remote, final CurveKeys keys) {
            dealer = new Dealer(loop, limits.queue(), remote, keys, this::receive,
                () -> core.refuse(Refusal.MALFORMED));
            peer = core.call(name, dealer::send);
        }

        private void receive(final Frame frame) {
            core.receive(peer, frame);
        }

        /** Connects anew if that leads elsewhere, or with other keys. */
        void update(final Remote remote, final CurveKeys keys) {
            if (!dealer.leadsTo(remote, keys)) {
                dealer.reopen(remote, keys);
                peer.link.renew();
            }
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
     * Uses these from now on. A key that is not allowed any more ends its sessions, also one that is in use; a site
     * that this one connects to is connected to anew if its address or key is another. With new keys of its own, those
     * who are connected stay, trunks to sites after this one are made anew, and who connects from now on needs them.
     *
     * @param remotes all other sites, or those that are known, by name; those before this one connect here by
     *     themselves
     * @throws IllegalArgumentException if a name is not a site's; nothing is changed then
     */
    public void update(final CurveKeys keys, final AllowList nowAllowed, final Map<String, Remote> remotes) {
        final var others = Map.copyOf(remotes);
        others.keySet().forEach(NodeName::checkSite);
        loop.execute(() -> {
            allowed = nowAllowed;
            keys.identify(router);
            update(keys, others);
            called.values().stream()
                .filter(one -> !nowAllowed.name(one.key()).equals(Optional.ofNullable(one.peer().name())))
                .forEach(one -> core.drop(one.peer()));
            core.dropOthers(Set.copyOf(nowAllowed.names().values()));
        });
    }

    private void update(final CurveKeys keys, final Map<String, Remote> remotes) {
        trunks.entrySet().removeIf(entry -> {
            final boolean gone = !remotes.containsKey(entry.getKey());
            if (gone) {
                entry.getValue().close();
            }
            return gone;
        });
        remotes.forEach((name, remote) -> {
            if (trunks.containsKey(name)) {
                trunks.get(name).update(remote, keys);
            } else if (site.compareTo(name) < 0) {
                trunks.put(name, new Trunk(name, remote, keys));
            }
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
        if (message.getMetadata() == null && Arrays.equals(message.data(), GONE)) {
            lost(ByteBuffer.wrap(id));
            return true;
        }
        final var key = doorman.key(message);
        final var name = key.flatMap(allowed::name);
        if (torn || name.isEmpty()) {
            LOG.debug("ignored a frame with the key {}", key.orElse("of nobody"));
            core.refuse(Refusal.KEY);
            return true;
        }
        switch (FrameCodec.decode(message.data())) {
            case FrameCodec.Decoded.Valid valid -> receive(id, key.orElseThrow(), name.orElseThrow(), valid.frame());
            case FrameCodec.Decoded.Invalid invalid -> {
                LOG.debug("from {}: {}", name.orElseThrow(), invalid.reason());
                core.refuse(Refusal.MALFORMED);
            }
        }
        return true;
    }

    /** The connection is gone: who connects with the same routing id later must not get what was meant for this one. */
    private void lost(final ByteBuffer id) {
        final var gone = called.remove(id);
        if (gone != null) {
            core.lost(gone.peer());
        }
    }

    private void receive(final byte[] id, final String key, final String name, final Frame frame) {
        if (frame.kind() == Kind.HELLO && !frame.node().equals(name)) {
            if (warnings.isDue(name + " " + frame.node())) {
                LOG.warn("{} said to be {}", name, frame.node());
            }
            core.refuse(Refusal.HELLO);
            return;
        }
        final var connection = ByteBuffer.wrap(id);
        var from = called.get(connection);
        if (from == null || !from.key().equals(key) || !core.has(from.peer())) {
            lost(connection);
            from = new Called(core.accept(out -> send(id, out)), key);
            called.put(connection, from);
        }
        core.receive(from.peer(), frame);
    }

    private boolean send(final byte[] id, final Frame frame) {
        try {
            return router.send(id, ZMQ.SNDMORE | ZMQ.DONTWAIT) && router.send(FrameCodec.encode(frame), ZMQ.DONTWAIT);
        } catch (ZMQException e) {
            LOG.debug("the connection is gone", e);
            return false;
        }
    }

    /** Returns what an operator can see; fails, as the questions below, if that takes 5 s or this is closed. */
    public CompletionStage<ProxyState> state() {
        return ask(core::state);
    }

    /** Lists the first topics that match, in ASCII order; the total is that of the streams that match. */
    public CompletionStage<Listing<TopicState>> topics(final TopicFilter filter, final int limit) {
        return ask(() -> core.inventory().topics(filter, limit));
    }

    /** Lists the first filters, in ASCII order; the total is that of filters. */
    public CompletionStage<Listing<FilterState>> filters(final int limit) {
        return ask(() -> core.inventory().filters(limit));
    }

    /** Returns the last values on a topic, by publisher; those that were withdrawn are left out. */
    public CompletionStage<List<LastValue>> lastValues(final Topic topic) {
        return ask(() -> core.inventory().lastValues(topic));
    }

    private <T> CompletionStage<T> ask(final Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, loop).orTimeout(ANSWER_S, TimeUnit.SECONDS)
            .exceptionallyCompose(failure -> CompletableFuture.failedFuture(failure instanceof TimeoutException
                ? new TimeoutException("the proxy has not answered for " + ANSWER_S + " s") : failure));
    }

    /** Returns whether nothing more comes of this. */
    boolean hasEnded() {
        return loop.hasEnded();
    }

    /** Returns how often a connection with an unknown key was refused. */
    public long refusedConnections() {
        return doorman.refused();
    }

    /** Returns the keys that were refused last, at most 16, the latest first. */
    public List<RefusedKey> refusedKeys() {
        return doorman.refusedKeys();
    }

    @Override
    public void close() {
        loop.close();
    }
}
