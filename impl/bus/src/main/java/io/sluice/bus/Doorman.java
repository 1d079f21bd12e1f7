// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZMQ;
import zmq.Msg;
import zmq.io.Metadata;
import zmq.io.mechanism.curve.Curve;

/**
 * Answers, within a proxy's context, whether a key may connect (ZeroMQ RFC 27, ZAP). The key becomes the user id of
 * each message of the connection. Without this at work JeroMQ would let everybody in.
 *
 * <p>The user id also holds a seal that nobody outside knows: JeroMQ 0.6.0 lets the other side put another user id over
 * it, as a property of its handshake.
 */
final class Doorman {
    /** Where sockets of the same context ask. */
    static final String ADDRESS = "inproc://zeromq.zap.01";

    private static final Logger LOG = LoggerFactory.getLogger(Doorman.class);
    private static final int SHOWN = 16;
    private static final int CURVE_PARTS = 7;

    private final Predicate<String> allowed;
    private final InstantSource clock;
    private final String seal = UUID.randomUUID().toString();
    private final AtomicLong refused = new AtomicLong();
    private final Warnings warnings;
    /** The latest last; guarded by itself. */
    private final SequencedMap<String, RefusedKey> latest = new LinkedHashMap<>();

    Doorman(final Predicate<String> allowed, final InstantSource clock) {
        this.allowed = allowed;
        this.clock = clock;
        warnings = new Warnings(clock);
    }

    /** Returns the key that the message's connection was let in with, or nothing if the user id is not from here. */
    Optional<String> key(final Msg message) {
        return Optional.ofNullable(message.getMetadata()).map(metadata -> metadata.get(Metadata.USER_ID))
            .filter(user -> user.startsWith(seal)).map(user -> user.substring(seal.length()));
    }

    /** Returns how often a connection was refused. */
    long refused() {
        return refused.get();
    }

    /** Returns the keys that were refused last and still are, at most 16, the latest first. Any thread may call. */
    List<RefusedKey> refusedKeys() {
        synchronized (latest) {
            return latest.sequencedValues().reversed().stream().filter(key -> !allowed.test(key.publicKey())).toList();
        }
    }

    /** Takes a question and answers it. Returns false if there is none. */
    boolean answer(final ZMQ.Socket socket) {
        final byte[][] parts = new byte[CURVE_PARTS][];
        parts[0] = socket.recv(ZMQ.DONTWAIT);
        if (parts[0] == null) {
            return false;
        }
        int count = 1;
        while (socket.hasReceiveMore()) {
            final byte[] part = socket.recv();
            if (count < CURVE_PARTS) {
                parts[count] = part;
            }
            count++;
        }
        final boolean curve = count == CURVE_PARTS && parts[6].length == 32
            && "CURVE".equals(new String(parts[5], StandardCharsets.US_ASCII));
        final var key = curve ? Curve.z85EncodePublic(parts[6]) : "";
        final boolean welcome = curve && allowed.test(key);
        if (!welcome) {
            refuse(key, count > 3 ? new String(parts[3], StandardCharsets.US_ASCII) : "");
        }
        socket.sendMore(parts[0]);
        socket.sendMore(count > 1 ? parts[1] : new byte[0]);
        socket.sendMore(welcome ? "200" : "400");
        socket.sendMore(welcome ? "OK" : "unknown key");
        socket.sendMore(welcome ? seal + key : "");
        socket.send(new byte[0]);
        return true;
    }

    /** A refused node tries again and again, and a stranger may have a new key each time. */
    void refuse(final String key, final String address) {
        refused.incrementAndGet();
        if (CurveKeys.isKey(key)) {
            note(key, address);
        }
        if (warnings.isDue(key)) {
            LOG.warn("refused the unknown key {} from {}", key, address);
        }
    }

    private void note(final String key, final String address) {
        final var now = clock.instant();
        synchronized (latest) {
            final var known = latest.remove(key);
            latest.putLast(key, known == null ? new RefusedKey(key, address, 1, now) : known.again(address, now));
            if (latest.size() > SHOWN) {
                latest.pollFirstEntry();
            }
        }
    }
}
