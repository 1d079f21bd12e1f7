// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.transport.KernelQueues.Waiting;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Lines as Linux writes them on a little-endian machine. */
class KernelQueuesTest {
    private static final String FOUR = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 00000000:1A2C 00000000:0000 0A 00000000:00000003 00:00000000 00000000     0        0 13 1 0 100 0 0 10 0
           1: 0100000A:C350 0200000A:1A2C 01 00012C00:00000000 01:00000014 00000000     0        0 14 4 0 20 4 30 10 -1
           2: 0100000A:C351 0300000A:0050 01 00000001:00000002 00:00000000 00000000  1000        0 15 1 0 20 4 30 10 -1
        """;
    private static final String SIX = """
          sl  local_address                         remote_address                        st tx_queue rx_queue tr tm
           0: 0000000000000000FFFF00000100000A:1A2C 0000000000000000FFFF00000200000A:C350 01 00000000:00000200 00:0
           1: 000000FD000000000000000001000000:1A2C 000000FD000000000000000002000000:C352 01 FFFFFFFF:00000000 00:0
        """;

    private static Map<Connection, Waiting> parse(final String table, final IntPredicate wanted) {
        final var found = new HashMap<Connection, Waiting>();
        KernelQueues.parse(table.lines(), wanted, found);
        return found;
    }

    private static Connection connection(final String local, final String remote) {
        return new Connection(Endpoint.parse(local), Endpoint.parse(remote));
    }

    @Test
    void queuesAreReadForConnectionsThatHaveAWantedPort() {
        assertEquals(Map.of(connection("10.0.0.1:50000", "10.0.0.2:6700"), new Waiting(0x12c00, 0)),
            parse(FOUR, port -> port == 6700));
        assertEquals(Map.of(connection("10.0.0.1:50001", "10.0.0.3:80"), new Waiting(1, 2)),
            parse(FOUR, port -> port == 50_001));
    }

    @Test
    void ipv4InsideIpv6IsIpv4AndBigQueuesAreNotNegative() {
        assertEquals(Map.of(connection("10.0.0.1:6700", "10.0.0.2:50000"), new Waiting(0, 512),
            connection("fd00:0:0:0:0:0:0:1:6700", "fd00:0:0:0:0:0:0:2:50002"), new Waiting(0xffffffffL, 0)),
            parse(SIX, port -> port == 6700));
    }

    @Test
    void addressesAreThoseThatJavaWrites() throws Exception {
        try (var listener = new java.net.ServerSocket(0, 1, java.net.InetAddress.getByName("127.0.0.1"));
                var client = new java.net.Socket(listener.getInetAddress(), listener.getLocalPort());
                var accepted = listener.accept()) {
            client.getOutputStream().write(new byte[100]);
            final var seen = KernelQueues.read(port -> port == listener.getLocalPort());
            final var ends = new Connection(
                Endpoint.of((java.net.InetSocketAddress) client.getLocalSocketAddress()),
                Endpoint.of((java.net.InetSocketAddress) client.getRemoteSocketAddress()));
            seen.keySet().retainAll(java.util.Set.of(ends, ends.reversed())); // others had this port before, and linger
            assertEquals(2, seen.size(), seen::toString);
            assertEquals(100, seen.get(ends.reversed()).unreadBytes());
            assertEquals(accepted.getPort(), ends.local().port());
        }
    }
}
