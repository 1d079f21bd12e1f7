// SPDX-License-Identifier: EPL-2.0
package io.sluice.nacl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.neilalexander.jnacl.crypto.curve25519xsalsa20poly1305;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Alice's and Bob's keys, nonce, message and box are those of "Cryptography in NaCl" (2009), sections 2 to 10. */
class BoxTest {
    private static final byte[] ALICE_SECRET =
        bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    private static final byte[] ALICE_PUBLIC =
        bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    private static final byte[] BOB_SECRET =
        bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    private static final byte[] BOB_PUBLIC =
        bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
    private static final byte[] SHARED = bytes("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389");
    private static final byte[] NONCE = bytes("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37");
    private static final byte[] PLAIN = bytes("00".repeat(32)
        + "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c6129"
        + "6cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde"
        + "048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705");
    private static final byte[] BOX = bytes("00".repeat(16)
        + "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186a"
        + "c0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae"
        + "90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74"
        + "e355a5");

    private final byte[] out = new byte[PLAIN.length];

    @Test
    void bothSidesShareAKey() {
        assertArrayEquals(SHARED, Box.share(BOB_PUBLIC, ALICE_SECRET).orElseThrow());
        assertArrayEquals(SHARED, Box.share(ALICE_PUBLIC, BOB_SECRET).orElseThrow());
    }

    @Test
    void whatJeroMqCallsSealsAsAliceAndOpensAsBob() {
        assertEquals(0, curve25519xsalsa20poly1305.crypto_box(out, PLAIN, PLAIN.length, NONCE, BOB_PUBLIC,
            ALICE_SECRET));
        assertArrayEquals(BOX, out);
        assertEquals(0, curve25519xsalsa20poly1305.crypto_box_open(out, BOX, BOX.length, NONCE, ALICE_PUBLIC,
            BOB_SECRET));
        assertArrayEquals(PLAIN, out);
    }

    @Test
    void whatJeroMqCallsRemembersTheSharedKey() {
        final var shared = new byte[SHARED.length];
        assertEquals(0, curve25519xsalsa20poly1305.crypto_box_beforenm(shared, BOB_PUBLIC, ALICE_SECRET));
        assertArrayEquals(SHARED, shared);
        assertEquals(0, curve25519xsalsa20poly1305.crypto_box_afternm(out, PLAIN, PLAIN.length, NONCE, shared));
        assertArrayEquals(BOX, out);
        assertEquals(0, curve25519xsalsa20poly1305.crypto_box_open_afternm(out, BOX, BOX.length, NONCE, shared));
        assertArrayEquals(PLAIN, out);
    }

    @Test
    void aPublicKeyOfSmallOrderIsRefused() {
        final var zero = new byte[32];
        assertFalse(Box.share(zero, ALICE_SECRET).isPresent());
        assertEquals(-1, curve25519xsalsa20poly1305.crypto_box_beforenm(new byte[32], zero, ALICE_SECRET));
        assertEquals(-1, curve25519xsalsa20poly1305.crypto_box(out, PLAIN, PLAIN.length, NONCE, zero, ALICE_SECRET));
        assertEquals(-1, curve25519xsalsa20poly1305.crypto_box_open(out, BOX, BOX.length, NONCE, zero, BOB_SECRET));
        assertArrayEquals(new byte[PLAIN.length], out);
    }

    @Test
    void eachPairIsNewAndSharesAKeyWithOthers() {
        final byte[][] one = {new byte[32], new byte[32]};
        final byte[][] other = {new byte[32], new byte[32]};
        assertEquals(0, curve25519xsalsa20poly1305.crypto_box_keypair(one[0], one[1]));
        assertEquals(0, curve25519xsalsa20poly1305.crypto_box_keypair(other[0], other[1]));
        assertNotEquals(Arrays.toString(one[1]), Arrays.toString(other[1]));
        assertArrayEquals(Box.share(one[0], other[1]).orElseThrow(), Box.share(other[0], one[1]).orElseThrow());
    }

    private static byte[] bytes(final String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
