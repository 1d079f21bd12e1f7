// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * What waits in the kernel for each TCP connection of this network namespace, from the tables of Linux in
 * {@code /proc/net}: see {@code Documentation/networking/proc_net_tcp.rst}.
 */
public final class KernelQueues {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
    private static final String LISTENING = "0A";
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int QUEUES = 4;
    private static final int HEX = 16;
    private static final int WORD_DIGITS = 8;

    /**
     * Queues of one connection.
     *
     * @param unacknowledgedBytes written here and not yet acknowledged by the other end
     * @param unreadBytes received and not yet read here
     */
    public record Waiting(long unacknowledgedBytes, long unreadBytes) {
        /** Of a connection that is gone. */
        public static final Waiting NOTHING = new Waiting(0, 0);
    }

    private KernelQueues() {
        // functions
    }

    /** Connections, one of whose ports is {@code wanted}; none on a machine that has no such tables. */
    public static Map<Connection, Waiting> read(final IntPredicate wanted) throws IOException {
        final var found = new HashMap<Connection, Waiting>();
        for (var table : TABLES) {
            try (var lines = Files.lines(table, StandardCharsets.US_ASCII)) {
                parse(lines, wanted, found);
            } catch (NoSuchFileException e) {
                continue;
            }
        }
        return found;
    }

    /** Adds what the lines of a table say. */
    static void parse(final Stream<String> lines, final IntPredicate wanted, final Map<Connection, Waiting> found) {
        lines.skip(1).map(line -> line.strip().split("\\s+"))
            .filter(fields -> !fields[STATE].equals(LISTENING))
            .filter(fields -> wanted.test(port(fields[LOCAL])) || wanted.test(port(fields[REMOTE])))
            .forEach(fields -> found.put(new Connection(endpoint(fields[LOCAL]), endpoint(fields[REMOTE])),
                waiting(fields[QUEUES])));
    }

    private static int port(final String field) {
        return Integer.parseInt(field, field.indexOf(':') + 1, field.length(), HEX);
    }

    /** Addresses are words of 32 bits in the order of this machine; IPv4 inside IPv6 becomes IPv4. */
    private static Endpoint endpoint(final String field) {
        final int digits = field.indexOf(':');
        final var bytes = ByteBuffer.allocate(digits / 2).order(ByteOrder.nativeOrder());
        for (int at = 0; at < digits; at += WORD_DIGITS) {
            bytes.putInt(Integer.parseUnsignedInt(field, at, at + WORD_DIGITS, HEX));
        }
        try {
            return new Endpoint(InetAddress.getByAddress(bytes.array()).getHostAddress(), port(field));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address: " + field, e);
        }
    }

    private static Waiting waiting(final String field) {
        final int colon = field.indexOf(':');
        return new Waiting(Long.parseLong(field, 0, colon, HEX), Long.parseLong(field, colon + 1, field.length(), HEX));
    }
}
