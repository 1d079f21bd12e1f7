// SPDX-License-Identifier: EPL-2.0
package io.sluice.nacl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.neilalexander.jnacl.crypto.xsalsa20poly1305;
import java.util.Arrays;
import java.util.Random;
import org.bouncycastle.crypto.engines.XSalsa20Engine;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.junit.jupiter.api.Test;

/** Compared with Bouncy Castle's own engine for the stream, at all lengths up to five blocks. */
class SecretBoxTest {
    private static final int LONGEST = 320;

    private final Random random = new Random(1);
    private final byte[] key = bytes(32);
    private final byte[] nonce = bytes(24);

    @Test
    void sealsAsTheReferenceAndOpensAgain() {
        for (int length = SecretBox.PADDING; length <= LONGEST; length++) {
            final var plain = plain(length);
            final var box = new byte[length];
            SecretBox.seal(box, plain, length, nonce, key);
            assertArrayEquals(reference(plain), box, "length " + length);
            final var opened = bytes(length);
            assertTrue(SecretBox.open(opened, box, length, nonce, key));
            assertArrayEquals(plain, opened, "length " + length);
        }
    }

    @Test
    void oneArrayMayBeBoth() {
        final var plain = plain(LONGEST);
        final var both = plain.clone();
        SecretBox.seal(both, both, LONGEST, nonce, key);
        assertArrayEquals(reference(plain), both);
        assertTrue(SecretBox.open(both, both, LONGEST, nonce, key));
        assertArrayEquals(plain, both);
    }

    @Test
    void whatIsBehindTheLengthStays() {
        final var plain = plain(LONGEST);
        final var box = new byte[LONGEST];
        SecretBox.seal(box, plain, 100, nonce, key);
        assertArrayEquals(Arrays.copyOf(reference(Arrays.copyOf(plain, 100)), LONGEST), box);
    }

    @Test
    void nothingIsOpenedWithABitThatIsWrong() {
        final int length = 100;
        final var box = reference(plain(length));
        final var untouched = new byte[length];
        for (int bit = 16 * Byte.SIZE; bit < length * Byte.SIZE; bit++) {
            final var wrong = box.clone();
            wrong[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            final var opened = new byte[length];
            assertFalse(SecretBox.open(opened, wrong, length, nonce, key), "bit " + bit);
            assertArrayEquals(untouched, opened);
        }
        assertFalse(SecretBox.open(untouched, box, length, bytes(24), key));
        assertFalse(SecretBox.open(untouched, box, length, nonce, bytes(32)));
        assertFalse(SecretBox.open(untouched, box, length - 1, nonce, key));
    }

    @Test
    void whatIsShorterThanItsPaddingIsRefused() {
        final int length = SecretBox.PADDING - 1;
        final var short0 = new byte[length];
        assertThrows(IllegalArgumentException.class, () -> SecretBox.seal(short0, short0, length, nonce, key));
        assertFalse(SecretBox.open(short0, short0, length, nonce, key));
        assertEquals(-1, xsalsa20poly1305.crypto_secretbox(short0, short0, length, nonce, key));
        assertEquals(-1, xsalsa20poly1305.crypto_secretbox_open(short0, short0, length, nonce, key));
    }

    @Test
    void whatJeroMqCallsDoesTheSame() {
        final var plain = plain(LONGEST);
        final var box = new byte[LONGEST];
        assertEquals(0, xsalsa20poly1305.crypto_secretbox(box, plain, LONGEST, nonce, key));
        assertArrayEquals(reference(plain), box);
        assertEquals(0, xsalsa20poly1305.crypto_secretbox_open(box, box, LONGEST, nonce, key));
        assertArrayEquals(plain, box);
        assertEquals(-1, xsalsa20poly1305.crypto_secretbox_open(box, plain, LONGEST, nonce, key));
    }

    private byte[] bytes(final int count) {
        final var bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] plain(final int length) {
        final var plain = bytes(length);
        Arrays.fill(plain, 0, SecretBox.PADDING, (byte) 0);
        return plain;
    }

    private byte[] reference(final byte[] plain) {
        final var stream = new XSalsa20Engine();
        stream.init(true, new ParametersWithIV(new KeyParameter(key), nonce));
        final var box = new byte[plain.length];
        stream.processBytes(plain, 0, plain.length, box, 0);
        final var poly1305 = new Poly1305();
        poly1305.init(new KeyParameter(box, 0, 32));
        poly1305.update(box, 32, box.length - 32);
        poly1305.doFinal(box, 16);
        Arrays.fill(box, 0, 16, (byte) 0);
        return box;
    }
}
