// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * The connecting side's socket. JeroMQ 0.6.0 connects anew after a broken connection, but never after a refused
 * handshake, so a socket that has been without a session for 5 s is replaced: a key may have been allowed by now. Used
 * on the loop's thread, or before it starts.
 */
final class Dealer {
    private static final Logger LOG = LoggerFactory.getLogger(Dealer.class);
    private static final int PATIENCE_TICKS = 20;

    private final Loop loop;
    private final int queue;
    private final Consumer<Frame> sink;
    private Remote remote;
    private CurveKeys keys;
    private ZMQ.Socket socket;
    private int downTicks;

    /**
     * Connects.
     *
     * @param queue frames that the socket holds
     * @param sink takes what arrives
     */
    Dealer(final Loop loop, final int queue, final Remote remote, final CurveKeys keys, final Consumer<Frame> sink) {
        this.loop = loop;
        this.queue = queue;
        this.remote = remote;
        this.keys = keys;
        this.sink = sink;
        socket = connect();
    }

    private ZMQ.Socket connect() {
        final var made = loop.socket(SocketType.DEALER, this::receive);
        try {
            remote.connect(made, keys, queue);
        } catch (ZMQException e) {
            LOG.warn("{} can't be found, and is tried again: {}", remote.address(), e.getMessage());
        }
        loop.listen(made);
        return made;
    }

    /** Connects anew; the connection that is there ends, with what it holds. */
    void reopen(final Remote newRemote, final CurveKeys newKeys) {
        close();
        remote = newRemote;
        keys = newKeys;
        downTicks = 0;
        socket = connect();
    }

    private boolean receive(final ZMQ.Socket from) {
        final byte[] octets = from.recv(ZMQ.DONTWAIT);
        if (octets == null) {
            return false;
        }
        switch (FrameCodec.decode(octets)) {
            case FrameCodec.Decoded.Valid valid -> sink.accept(valid.frame());
            case FrameCodec.Decoded.Invalid invalid -> LOG.debug("from {}: {}", remote.address(), invalid.reason());
        }
        return true;
    }

    /** Returns false if there is no room. */
    boolean send(final Frame frame) {
        return socket.send(FrameCodec.encode(frame), ZMQ.DONTWAIT);
    }

    /** Lets a quarter of a second pass in which there was a session or not. */
    void tick(final boolean up) {
        downTicks = up ? 0 : downTicks + 1;
        if (downTicks >= PATIENCE_TICKS) {
            reopen(remote, keys);
        }
    }

    /** Ends the connection. */
    void close() {
        loop.close(socket);
    }
}
