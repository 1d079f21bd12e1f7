// SPDX-License-Identifier: EPL-2.0
package io.sluice.nacl;

import java.security.SecureRandom;
import java.util.Optional;
import org.bouncycastle.math.ec.rfc7748.X25519;

/** What NaCl makes of key pairs on Curve25519 ({@code crypto_box}); a key is 32 bytes. */
public final class Box {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Box() {
        // static methods alone
    }

    /** Writes a new pair to two arrays. */
    public static void generate(final byte[] publicKey, final byte[] secretKey) {
        RANDOM.nextBytes(secretKey);
        X25519.scalarMultBase(secretKey, 0, publicKey, 0);
    }

    /**
     * Returns the key for {@link SecretBox} that the owner of a secret key shares with that of a public one.
     *
     * @return empty if the public key is a point of small order, with which everybody shares the same (RFC 7748, 6.1)
     */
    public static Optional<byte[]> share(final byte[] publicKey, final byte[] secretKey) {
        final var point = new byte[X25519.POINT_SIZE];
        return X25519.calculateAgreement(secretKey, 0, publicKey, 0, point, 0)
            ? Optional.of(XSalsa20.derive(point))
            : Optional.empty();
    }
}
