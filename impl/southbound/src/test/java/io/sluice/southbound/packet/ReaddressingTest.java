// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.api.Connection;
import io.sluice.api.MacAddress;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference computes each checksum over the whole packet. */
class ReaddressingTest {
    private static final MacAddress A = MacAddress.of("02:00:00:00:00:0a");
    private static final MacAddress B = MacAddress.of("02:00:00:00:00:0b");
    private static final MacAddress TO = MacAddress.of("02:00:00:00:00:0c");
    private static final int ROUNDS = 20_000;
    private static final long SEED = 1624;

    @ParameterizedTest
    @CsvSource({"17, 10.0.0.1, 10.9.9.9, 10.0.0.7, false", "6, 10.0.0.1, 10.9.9.9, 10.0.0.7, true",
        "17, fd00::1, fd00::99, fd00::7, true", "6, fd00::1, fd00::99, fd00::7, false"})
    void aWholePacketIsWhatItWouldBeHadItBeenSentThere(final int protocol, final String source, final String target,
            final String server, final boolean tagged) {
        final var before = frame(protocol, source, target);
        final var after = frame(protocol, source, server);
        assertArrayEquals(tagged ? tagged(to(after)) : to(after), Readdressing.of(tagged ? tagged(before) : before, TO,
            Addresses.ip(source), Addresses.ip(server)).orElseThrow());
    }

    @Test
    void everyPairOfAddressesIsAdjustedAsTheReferenceComputesIt() {
        final var random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            final int protocol = random.nextBoolean() ? 6 : 17;
            final boolean ipv6 = random.nextBoolean();
            final var from = address(random, ipv6);
            final var to = address(random, ipv6);
            final int port = random.nextInt(65536);
            final var before = Frames.ip(A, B, new Connection(protocol, address(random, ipv6), address(random, ipv6),
                port, 53));
            final var wanted = to(Frames.ip(A, B, new Connection(protocol, from, to, port, 53)));
            assertArrayEquals(wanted, Readdressing.of(before, TO, from, to).orElseThrow(),
                "seed " + SEED + ", round " + round);
        }
    }

    @ParameterizedTest
    @CsvSource({"2000, 0a000001, true", "2001, 0a000001, false", "0172, 0a000001, false"})
    void aFragmentHasItsTransportHeaderAdjustedIfItIsTheFirstAndKeepsItsData(final String place, final String source,
            final boolean first) {
        final var data = "04d2 0035 0fa8 1234 ffff 2222 3333 4444";
        final var frame = FramesTest.hex("02000000000b 02000000000a 0800 45000024 0007 " + place + " 40 11 0000"
            + source + "0a090909" + data);
        final var out = Readdressing.of(frame, TO, Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.7")).orElseThrow();
        final var kept = Arrays.copyOfRange(out, 34, out.length);
        final var wanted = FramesTest.hex(data);
        if (first) {
            // 0x1234 + 0a09 0909 - 0a00 0007, in one's complement
            ByteBuffer.wrap(wanted).putShort(6, (short) (0x1234 + 0x0a09 + 0x0909 - 0x0a00 - 0x0007));
        }
        assertArrayEquals(wanted, kept);
    }

    @Test
    void laterIpv6FragmentsKeepTheirData() {
        final var frame = FramesTest.hex("02000000000b 02000000000a 86dd 60000000 0010 2c 40"
            + "fd000000000000000000000000000001 fd000000000000000000000000000099 1100 0009 00000007 1111222233334444");
        final var out = Readdressing.of(frame, TO, Addresses.ip("fd00::1"), Addresses.ip("fd00::7")).orElseThrow();
        assertArrayEquals(Arrays.copyOfRange(frame, 54, 70), Arrays.copyOfRange(out, 54, 70));
        assertEquals("07", HexFormat.of().formatHex(out, 53, 54));
    }

    @Test
    void noChecksumStaysNone() {
        final var frame = FramesTest.hex("02000000000b 02000000000a 0800 4500001c 0007 0000 40 11 0000 0a000001"
            + "0a090909 04d2 0035 0008 0000");
        final var out = Readdressing.of(frame, TO, Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.7")).orElseThrow();
        assertEquals(0, ByteBuffer.wrap(out).getShort(40));
    }

    @ParameterizedTest
    @CsvSource({
        "0800 45000020 0007 2000 40 06 0000 0a000001 0a090909 04d2 0035 00000000 00000000, 10.0.0.7",
        "0800 45000020 0007 0000 40 06 0000 0a000001 0a090909 04d2 0035 00000000 00000000, fd00::7",
        "0806 0001, 10.0.0.7",
        "0800 45000020 0007, 10.0.0.7",
    })
    void whatCannotBeReadOrHasItsChecksumElsewhereIsLeft(final String rest, final String to) {
        final var address = Addresses.ip(to);
        assertEquals(Optional.empty(), Readdressing.of(FramesTest.hex("02000000000b 02000000000a" + rest), TO, address,
            address).map(HexFormat.of()::formatHex));
    }

    @Test
    void nothingThrows() {
        final var random = new Random(SEED);
        final var sample = frame(17, "fd00::1", "fd00::99");
        for (int round = 0; round < ROUNDS; round++) {
            final var frame = Arrays.copyOf(sample, random.nextInt(sample.length + 1));
            for (int i = 0; i < 3 && frame.length > 0; i++) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt();
            }
            try {
                Readdressing.of(frame, TO, Addresses.ip("fd00::1"), Addresses.ip("fd00::7"));
            } catch (RuntimeException e) {
                fail("seed " + SEED + ", round " + round + ": " + HexFormat.of().formatHex(frame), e);
            }
        }
    }

    private static byte[] frame(final int protocol, final String source, final String destination) {
        return Frames.ip(A, B, new Connection(protocol, Addresses.ip(source), Addresses.ip(destination), 1234, 53));
    }

    private static byte[] to(final byte[] frame) {
        return ByteBuffer.wrap(frame).putShort(0, (short) (TO.value() >> 32)).putInt(2, (int) TO.value()).array();
    }

    private static byte[] tagged(final byte[] frame) {
        return ByteBuffer.allocate(frame.length + 4).put(frame, 0, 12).putInt(0x8100_0007)
            .put(frame, 12, frame.length - 12).array();
    }

    private static InetAddress address(final Random random, final boolean ipv6) {
        return Addresses.ip(ipv6 ? "2001:db8::%x:%x".formatted(random.nextInt(65536), random.nextInt(65536))
            : "10.%d.%d.%d".formatted(random.nextInt(256), random.nextInt(256), random.nextInt(256)));
    }
}
