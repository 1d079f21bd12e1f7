// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

/**
 * The connecting side's socket. JeroMQ 0.6.0 connects anew after a broken connection, but never after a refused
 * handshake, so a socket that has long been without a session is replaced: a key may have been allowed by now, or the
 * name lead elsewhere. Names are looked up on a thread for each lookup: a dead name server holds up this connection
 * and nothing else. Used on the loop's thread, or before it starts.
 */
final class Dealer {
    private static final Logger LOG = LoggerFactory.getLogger(Dealer.class);

    private final Loop loop;
    private final int queue;
    private final Consumer<Frame> sink;
    private final Runnable malformed;
    private final Patience patience = new Patience();
    private Remote remote;
    private CurveKeys keys;
    private Remote sought;
    private ZMQ.Socket socket;

    /**
     * Connects as soon as the address is known.
     *
     * @param queue frames that the socket holds
     * @param sink takes what arrives
     * @param malformed is told of what arrives and is no frame
     */
    Dealer(final Loop loop, final int queue, final Remote remote, final CurveKeys keys, final Consumer<Frame> sink,
            final Runnable malformed) {
        this.loop = loop;
        this.queue = queue;
        this.remote = remote;
        this.keys = keys;
        this.sink = sink;
        this.malformed = malformed;
        seek();
    }

    /** Looks the address up, unless that is under way. */
    private void seek() {
        if (!remote.equals(sought)) {
            final var wanted = remote;
            sought = wanted;
            Thread.ofPlatform().daemon().name("sluice-bus-lookup").start(() -> {
                final var address = wanted.lookUp();
                loop.execute(() -> found(wanted, address));
            });
        }
    }

    /** Connects, unless another remote or none is wanted by now. */
    private void found(final Remote wanted, final Optional<String> address) {
        if (wanted.equals(sought)) {
            sought = null;
            address.ifPresentOrElse(this::connect,
                () -> LOG.warn("{} can't be found, and is tried again", wanted.address()));
        }
    }

    private void connect(final String address) {
        socket = loop.socket(SocketType.DEALER, this::receive);
        remote.connect(socket, address, keys, queue);
        loop.listen(socket);
    }

    /** Returns whether a connection to this remote with these keys is there, or is being made. */
    boolean leadsTo(final Remote other, final CurveKeys otherKeys) {
        return remote.equals(other) && keys.publicKey().equals(otherKeys.publicKey());
    }

    /** Connects anew; the connection that is there ends, with what it holds. */
    void reopen(final Remote newRemote, final CurveKeys newKeys) {
        remote = newRemote;
        keys = newKeys;
        patience.renew();
        connectAnew();
    }

    private void connectAnew() {
        disconnect();
        seek();
    }

    private void disconnect() {
        if (socket != null) {
            loop.close(socket);
            socket = null;
        }
    }

    private boolean receive(final ZMQ.Socket from) {
        final byte[] octets = from.recv(ZMQ.DONTWAIT);
        if (octets == null) {
            return false;
        }
        switch (FrameCodec.decode(octets)) {
            case FrameCodec.Decoded.Valid valid -> sink.accept(valid.frame());
            case FrameCodec.Decoded.Invalid invalid -> {
                LOG.debug("from {}: {}", remote.address(), invalid.reason());
                malformed.run();
            }
        }
        return true;
    }

    /** Returns false if there is no room, or no address yet. */
    boolean send(final Frame frame) {
        return socket != null && socket.send(FrameCodec.encode(frame), ZMQ.DONTWAIT);
    }

    /** Lets a quarter of a second pass in which there was a session or not. */
    void tick(final boolean up) {
        if (patience.isLost(up)) {
            connectAnew();
        }
    }

    /** Ends the connection. */
    void close() {
        disconnect();
        sought = null;
    }
}
