// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import static io.sluice.southbound.packet.FramesTest.hex;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.southbound.packet.Rejection.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checksums in expected frames were computed by hand, apart from the code. */
class RejectionTest {
    private static final int ROUNDS = 200_000;
    private static final String TO_B = "02000000000b 02000000000a ";
    private static final String TO_A = "02000000000a 02000000000b ";
    private static final String V4 = "0a000001 0a000002 ";
    private static final String V4_BACK = "0a000002 0a000001 ";
    private static final String V6 = "20010db8000000000000000000000001 20010db8000000000000000000000002 ";
    private static final String V6_BACK = "20010db8000000000000000000000002 20010db8000000000000000000000001 ";
    private static final String UDP = "4500001c 0000 0000 40 11 66cf " + V4 + "04d2 0050 0008 e6b9";
    private static final String SYN = "04d2 0050 11223344 00000000 5002 faf0 0000 0000";

    @Test
    void aSynGetsAResetThatAcknowledgesIt() {
        final var answer = answer(TO_B + "0800 45000028 0000 0000 40 06 0000 " + V4 + SYN);
        assertEquals(Kind.RESET, answer.kind());
        assertFrame(TO_A + "0800 45000028 0000 0000 40 06 66ce " + V4_BACK
            + "0050 04d2 00000000 11223345 5014 0000 5245 0000", answer.frame());
    }

    @Test
    void aSegmentWithAnAcknowledgmentGetsAResetAtThatNumber() {
        final var answer = answer(TO_B + "0800 4500002c 0000 0000 40 06 0000 " + V4
            + "04d2 0050 11223344 55667788 5018 faf0 0000 0000 01020304");
        assertFrame(TO_A + "0800 45000028 0000 0000 40 06 66ce " + V4_BACK
            + "0050 04d2 55667788 00000000 5004 0000 c9cd 0000", answer.frame());
    }

    @Test
    void aSynOverIpv6GetsAResetBehindExtensionHeadersToo() {
        final var plain = answer(TO_B + "86dd 60000000 0014 06 40 " + V6 + SYN);
        final var behind = answer(TO_B + "86dd 60000000 001c 00 40 " + V6 + "06 00 000000000000" + SYN);
        for (var answer : List.of(plain, behind)) {
            assertEquals(Kind.RESET, answer.kind());
            assertFrame(TO_A + "86dd 60000000 0014 06 40 " + V6_BACK
                + "0050 04d2 00000000 11223345 5014 0000 0ad3 0000", answer.frame());
        }
    }

    /** Data and FIN count, options do not. */
    @ParameterizedTest
    @CsvSource({"002c, 5002 faf0 0000 0000 01020304, 11223349", "002c, 6002 faf0 0000 0000 01020304, 11223345",
        "0029, 5003 faf0 0000 0000 01, 11223347", "0028, 5001 faf0 0000 0000, 11223345",
        "0028, 5000 faf0 0000 0000, 11223344"})
    void aResetAcknowledgesAllThatTheSegmentTakesUp(final String total, final String rest, final String acknowledged) {
        final var answer = answer(TO_B + "0800 4500" + total + "0000 0000 40 06 0000 " + V4
            + "04d2 0050 11223344 00000000" + rest);
        assertArrayEquals(hex("00000000" + acknowledged + "5014"), Arrays.copyOfRange(answer.frame(), 38, 48));
        assertSums(answer.frame());
    }

    @Test
    void sequenceNumbersWrap() {
        final var answer = answer(TO_B + "0800 45000028 0000 0000 40 06 0000 " + V4
            + "04d2 0050 ffffffff 00000000 5002 faf0 0000 0000");
        assertArrayEquals(hex("00000000"), Arrays.copyOfRange(answer.frame(), 42, 46));
    }

    @Test
    void aDatagramGetsAnErrorThatQuotesIt() {
        final var answer = answer(TO_B + "0800" + UDP);
        assertEquals(Kind.UNREACHABLE, answer.kind());
        assertFrame(TO_A + "0800 45c00038 0000 0000 40 01 6603 " + V4_BACK + "030d 110f 00000000" + UDP,
            answer.frame());
    }

    @Test
    void aDatagramOverIpv6GetsAnErrorThatQuotesIt() {
        final var datagram = "60000000 0008 11 40 " + V6 + "04d2 0050 0008 0000";
        final var answer = answer(TO_B + "86dd" + datagram);
        assertEquals(Kind.UNREACHABLE, answer.kind());
        assertFrame(TO_A + "86dd 60000000 0038 3a 40 " + V6_BACK + "0101 d12f 00000000" + datagram, answer.frame());
    }

    @Test
    void paddingIsNotQuotedAndTheVlanIsKept() {
        final var answer = Rejection.of(Arrays.copyOf(hex(TO_B + "8100 e007 0800" + UDP), 80)).orElseThrow();
        assertFrame(TO_A + "8100 0007 0800 45c00038 0000 0000 40 01 6603 " + V4_BACK + "030d 110f 00000000" + UDP,
            answer.frame());
    }

    @ParameterizedTest
    @CsvSource({"547, 575", "548, 576", "549, 576", "1400, 576"})
    void anErrorOverIpv4HasAsMuchOfThePacketAsMakesNoMoreThan576Octets(final int packet, final int length) {
        final var frame = ByteBuffer.wrap(Arrays.copyOf(hex(TO_B + "0800" + UDP), 14 + packet))
            .putShort(16, (short) packet).array();
        final var answer = Rejection.of(frame).orElseThrow().frame();
        assertEquals(14 + length, answer.length);
        assertEquals(length, ByteBuffer.wrap(answer).getShort(16));
        assertArrayEquals(Arrays.copyOfRange(frame, 14, 14 + length - 28), Arrays.copyOfRange(answer, 42, 14 + length));
        assertSums(answer);
    }

    @ParameterizedTest
    @CsvSource({"1231, 1279", "1232, 1280", "1460, 1280"})
    void anErrorOverIpv6HasAsMuchOfThePacketAsMakesNoMoreThan1280Octets(final int packet, final int length) {
        final var frame = ByteBuffer.wrap(Arrays.copyOf(hex(TO_B + "86dd 60000000 0000 11 40 " + V6), 14 + packet))
            .putShort(18, (short) (packet - 40)).array();
        final var answer = Rejection.of(frame).orElseThrow().frame();
        assertEquals(14 + length, answer.length);
        assertSums(answer);
    }

    /** RFC 1122, section 3.2.2, RFC 9293, section 3.10.7.1, and frames that are not what their headers say. */
    @ParameterizedTest
    @ValueSource(strings = {
        TO_B + "0800 45000028 0000 0000 40 06 0000 " + V4 + "04d2 0050 11223344 00000000 5004 faf0 0000 0000",
        TO_B + "0800 45000028 0000 0000 40 06 0000 " + V4 + "04d2 0050 11223344 00000000 5014 faf0 0000 0000",
        TO_B + "0800 45000028 0000 0000 40 06 0000 " + V4 + "04d2 0050 11223344 00000000 6002 faf0 0000 0000",
        TO_B + "0800 45000028 0000 0000 40 06 0000 " + V4 + "04d2 0050 11223344 00000000 4002 faf0 0000 0000",
        TO_B + "0800 45000024 0000 0000 40 06 0000 " + V4 + "04d2 0050 11223344 00000000 5002 faf0 0000 0000",
        TO_B + "0800 4500001c 0000 0001 40 11 0000 " + V4 + "04d2 0050 0008 0000",
        TO_B + "0800 4500001c 0000 0000 40 01 0000 " + V4 + "0301 0000 00000000",
        TO_B + "0800 4500001c 0000 0000 40 01 0000 " + V4 + "0c00 0000 00000000",
        TO_B + "0800 45000014 0000 0000 40 01 0000 " + V4,
        TO_B + "0800 4500001c 0000 0000 40 11 0000 0a000001 ffffffff 04d2 0050 0008 0000",
        TO_B + "0800 4500001c 0000 0000 40 11 0000 0a000001 e0000001 04d2 0050 0008 0000",
        TO_B + "0800 4500001c 0000 0000 40 11 0000 00000000 0a000002 04d2 0050 0008 0000",
        TO_B + "0800 4500001c 0000 0000 40 11 0000 7f000001 0a000002 04d2 0050 0008 0000",
        TO_B + "0800 4500001c 0000 0000 40 11 0000 f0000001 0a000002 04d2 0050 0008 0000",
        TO_B + "0800 4500001d 0000 0000 40 11 0000 " + V4 + "04d2 0050 0008 0000",
        "ffffffffffff 02000000000a 0800" + UDP,
        "02000000000b 03000000000a 0800" + UDP,
        TO_B + "86dd 60000000 0008 3a 40 " + V6 + "0100 0000 00000000",
        TO_B + "86dd 60000000 0008 3a 40 " + V6 + "8900 0000 00000000",
        TO_B + "86dd 60000000 0000 3a 40 " + V6,
        TO_B + "86dd 60000000 0010 2c 40 " + V6 + "11 00 0009 00000001 04d2 0050 0008 0000",
        TO_B + "86dd 60000000 0008 11 40 00000000000000000000000000000000 20010db8000000000000000000000002"
            + "04d2 0050 0008 0000",
        TO_B + "86dd 60000000 0008 11 40 20010db8000000000000000000000001 ff020000000000000000000000000001"
            + "04d2 0050 0008 0000",
        TO_B + "86dd 60000000 0008 00 40 " + V6 + "11 01 000000000000",
        TO_B + "0806 0001 0800 06 04 0001 02000000000a 0a000001 000000000000 0a000002",
        TO_B,
        ""})
    void whatMustNotBeAnsweredIsNot(final String frame) {
        assertEquals(Optional.empty(), Rejection.of(hex(frame)).map(Rejection::kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        TO_B + "0800 4500001c 0000 0000 40 01 0000 " + V4 + "0800 0000 00010001",
        TO_B + "0800 4500001c 0000 2000 40 11 0000 " + V4 + "04d2 0050 0008 0000",
        TO_B + "86dd 60000000 0008 3a 40 " + V6 + "8000 0000 00010001",
        TO_B + "86dd 60000000 0010 2c 40 " + V6 + "11 00 0001 00000001 04d2 0050 0008 0000",
        TO_B + "86dd 60000000 0000 3b 40 " + V6})
    void questionsFirstFragmentsAndOtherProtocolsGetAnError(final String frame) {
        assertEquals(Kind.UNREACHABLE, answer(frame).kind());
    }

    @Test
    void hostileFramesNeverThrowAndEachAnswerIsSound() {
        final long seed = 1122L;
        final var random = new Random(seed);
        final var samples = List.of(hex(TO_B + "0800" + UDP), hex(TO_B + "86dd 60000000 0014 06 40 " + V6 + SYN),
            hex(TO_B + "8100 0007 0800 45000028 0000 0000 40 06 0000 " + V4 + SYN),
            hex(TO_B + "86dd 60000000 0020 00 40 " + V6 + "2b 00 000000000000 3c 00 000000000000"
                + "2c 00 000000000000 11 00 0000 00000001"));
        for (int round = 0; round < ROUNDS; round++) {
            final var sample = samples.get(random.nextInt(samples.size()));
            final var frame = Arrays.copyOf(sample, random.nextInt(3) > 0 ? sample.length
                : random.nextInt(sample.length + 1));
            for (int i = random.nextInt(4); i > 0 && frame.length > 0; i--) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt();
            }
            try {
                Rejection.of(frame).ifPresent(answer -> assertSums(answer.frame()));
            } catch (RuntimeException e) {
                fail("seed " + seed + ", round " + round + ": " + HexFormat.of().formatHex(frame), e);
            }
        }
    }

    /** An answer is IP whose checksums are right. */
    private static void assertSums(final byte[] frame) {
        final int ip = frame[12] == (byte) 0x81 ? 18 : 14;
        final var in = ByteBuffer.wrap(frame);
        if (in.getShort(ip - 2) == EtherType.IPV4) {
            assertEquals(0, Checksum.of(Arrays.copyOfRange(frame, ip, ip + 20)));
        }
        final var read = read(frame);
        assertEquals(0, read.protocol() == 1 ? Checksum.of(read.transport())
            : Checksum.of(read.protocol(), read.source(), read.destination(), read.transport()));
    }

    private static IpDatagram read(final byte[] frame) {
        try {
            return IpDatagram.read(frame);
        } catch (MalformedFrameException e) {
            throw new AssertionError(e);
        }
    }

    private static Rejection answer(final String frame) {
        return Rejection.of(hex(frame)).orElseThrow();
    }

    private static void assertFrame(final String expected, final byte[] frame) {
        final var octets = hex(expected);
        assertArrayEquals(Arrays.copyOf(octets, Math.max(60, octets.length)), frame);
    }
}
