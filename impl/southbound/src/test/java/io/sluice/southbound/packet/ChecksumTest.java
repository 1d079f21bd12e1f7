// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChecksumTest {
    private static final BigInteger MODULUS = BigInteger.valueOf(0xffff);

    @Test
    void agreesWithArithmeticModulo65535() throws Exception {
        final long seed = 20260101L;
        final var random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            final var addresses = new byte[32];
            random.nextBytes(addresses);
            final var message = new byte[random.nextInt(200)];
            random.nextBytes(message);
            assertEquals(slow(addresses, message), fast(addresses, message), "seed " + seed + ", round " + round);
        }
    }

    @Test
    void isZeroOverMessageWithItsChecksum() throws Exception {
        // an echo request from ::1 to ::1, identifier 1, sequence 1; checksum worked out by hand: ~(2+8+58+0x8000+1+1)
        final var addresses = new byte[32];
        addresses[15] = 1;
        addresses[31] = 1;
        assertEquals(0x7fb9, fast(addresses, HexFormat.of().parseHex("8000000000010001")));
        assertEquals(0, fast(addresses, HexFormat.of().parseHex("80007fb900010001")));
    }

    private static int fast(final byte[] addresses, final byte[] message) throws Exception {
        final var source = new byte[16];
        final var destination = new byte[16];
        ByteBuffer.wrap(addresses).get(source).get(destination);
        return Checksum.of(58, InetAddress.getByAddress(source), InetAddress.getByAddress(destination), message);
    }

    /** The pseudo-header and the message as one big number: its rest modulo 65535 is the one's complement sum. */
    private static int slow(final byte[] addresses, final byte[] message) {
        final var all = ByteBuffer.allocate(40 + message.length + message.length % 2).put(addresses)
            .putInt(message.length).putInt(58).put(message).array();
        final int rest = new BigInteger(1, all).mod(MODULUS).intValue();
        return ~(rest == 0 ? 0xffff : rest) & 0xffff;
    }
}
