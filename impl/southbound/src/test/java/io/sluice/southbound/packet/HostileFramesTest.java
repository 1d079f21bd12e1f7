// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.fail;

import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A million frames that nobody should send: none may throw, and every kind of answer has to come up. */
class HostileFramesTest {
    private static final int FRAMES = 1_000_000;
    private static final long SEED = 48L;

    @Test
    void nothingThrows() throws Exception {
        final var random = new Random(SEED);
        final var samples = samples();
        final Set<Class<?>> kinds = new HashSet<>();
        for (int round = 0; round < FRAMES; round++) {
            final var frame = round % 4 == 0 ? noise(random) : mutated(samples.get(random.nextInt(samples.size())),
                random);
            try {
                kinds.add(Frames.parse(frame).getClass());
            } catch (RuntimeException e) {
                fail("seed " + SEED + ", round " + round + ": " + HexFormat.of().formatHex(frame), e);
            }
        }
        assertEquals(Set.of(Packet.class.getPermittedSubclasses()), kinds);
    }

    @Test
    void everyPrefixOfEachSampleIsRead() throws Exception {
        for (var sample : samples()) {
            for (int length = 0; length <= sample.length; length++) {
                assertNotNull(Frames.parse(Arrays.copyOf(sample, length)));
            }
        }
    }

    private static List<byte[]> samples() throws Exception {
        final var a = MacAddress.of("02:00:00:00:00:0a");
        final var tagged = new Ethernet(MacAddress.of("02:00:00:00:00:0b"), a, 7);
        final var v4 = InetAddress.getByName("10.0.0.1");
        final var v6 = InetAddress.getByName("2001:db8::1");
        return List.of(Frames.arpRequest(a, v4, v4), Frames.arpReply(tagged, v4, v4),
            Frames.neighbourSolicitation(a, v6, v6), Frames.neighbourAdvertisement(tagged, v6, v6),
            FramesTest.nd("85 00", "00000000 0101 02000000000a", 16),
            FramesTest.nd("86 00", "40000708 00000000 00000000 0101 02000000000a", 24),
            FramesTest.dhcp4(2, "0a000005", "0c0168 350105 ff"),
            FramesTest.hex("02000000000b 02000000000a 86dd 60000000 0028 00 40 20010db8000000000000000000000001"
                + "20010db8000000000000000000000002 3c00 000000000000 2b00 000000000000 2c00 000000000000"
                + "11 00 0000 00000001 0222 0223 0008 0000"),
            FramesTest.hex("02000000000b 02000000000a 0800 4500001c abcd 2000 40 11 0000 0a000001 0a000002 04d2 0050"
                + "0fa8 0000"));
    }

    private static byte[] noise(final Random random) {
        final var frame = new byte[random.nextInt(120)];
        random.nextBytes(frame);
        return frame;
    }

    /** Changes up to three octets, or none, and cuts every third frame. */
    private static byte[] mutated(final byte[] sample, final Random random) {
        final var frame = random.nextInt(3) == 0 ? Arrays.copyOf(sample, random.nextInt(sample.length + 1))
            : sample.clone();
        for (int i = random.nextInt(4); i > 0 && frame.length > 0; i--) {
            frame[random.nextInt(frame.length)] = (byte) random.nextInt();
        }
        return frame;
    }
}
