// SPDX-License-Identifier: EPL-2.0
package io.sluice.nacl;

import java.util.Arrays;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.params.KeyParameter;

/**
 * XSalsa20 and Poly1305 with a key that both sides have ({@code crypto_secretbox}). A key is 32 bytes, a nonce 24, and
 * no nonce is used twice with a key. Lengths count bytes with padding; input and output may be one array.
 */
public final class SecretBox {
    /** The zeros that a plain text begins with. */
    public static final int PADDING = 32;

    private static final int MAC_BYTES = 16;
    private static final int MAC_AT = PADDING - MAC_BYTES;

    private SecretBox() {
        // static methods alone
    }

    /**
     * Encrypts and authenticates the first {@code length} bytes of {@code plain} into {@code box}.
     *
     * @throws IllegalArgumentException if the length is less than the padding
     */
    public static void seal(final byte[] box, final byte[] plain, final int length, final byte[] nonce,
            final byte[] key) {
        if (length < PADDING) {
            throw new IllegalArgumentException("a plain text of " + length + " bytes lacks its padding of " + PADDING);
        }
        new XSalsa20(key, nonce).xor(box, plain, length);
        authenticate(box, length, Arrays.copyOf(box, PADDING), box, MAC_AT);
        Arrays.fill(box, 0, MAC_AT, (byte) 0);
    }

    /**
     * Decrypts the first {@code length} bytes of {@code box} into {@code plain}, if they are authentic.
     *
     * @return whether they are; nothing is written if not
     */
    public static boolean open(final byte[] plain, final byte[] box, final int length, final byte[] nonce,
            final byte[] key) {
        if (length < PADDING) {
            return false;
        }
        final var stream = new XSalsa20(key, nonce);
        final var once = new byte[PADDING];
        stream.xor(once, once, PADDING);
        final var mac = new byte[MAC_BYTES];
        authenticate(box, length, once, mac, 0);
        if (!org.bouncycastle.util.Arrays.constantTimeAreEqual(MAC_BYTES, mac, 0, box, MAC_AT)) {
            return false;
        }
        stream.xor(plain, box, length);
        Arrays.fill(plain, 0, PADDING, (byte) 0);
        return true;
    }

    private static void authenticate(final byte[] box, final int length, final byte[] once, final byte[] mac,
            final int at) {
        final var poly1305 = new Poly1305();
        poly1305.init(new KeyParameter(once));
        poly1305.update(box, PADDING, length - PADDING);
        poly1305.doFinal(mac, at);
    }
}
