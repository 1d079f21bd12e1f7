// SPDX-License-Identifier: EPL-2.0
package com.neilalexander.jnacl.crypto;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import io.sluice.nacl.Box;

/** Boxes between key pairs, as JeroMQ knows them. */
@SuppressFBWarnings(value = "NM_CLASS_NAMING_CONVENTION", justification = "JeroMQ calls it so")
public final class curve25519xsalsa20poly1305 {
    private curve25519xsalsa20poly1305() {
        // static methods alone
    }

    /** {@link Box#generate}. */
    public static int crypto_box_keypair(final byte[] publicKey, final byte[] secretKey) {
        Box.generate(publicKey, secretKey);
        return 0;
    }

    /** {@link Box#share}. */
    public static int crypto_box_beforenm(final byte[] shared, final byte[] publicKey, final byte[] secretKey) {
        final var key = Box.share(publicKey, secretKey);
        key.ifPresent(found -> System.arraycopy(found, 0, shared, 0, found.length));
        return key.isPresent() ? 0 : -1;
    }

    /** Seals with the key of {@link #crypto_box_beforenm}. */
    public static int crypto_box_afternm(final byte[] box, final byte[] plain, final long length, final byte[] nonce,
            final byte[] shared) {
        return xsalsa20poly1305.crypto_secretbox(box, plain, length, nonce, shared);
    }

    /** Opens with the key of {@link #crypto_box_beforenm}. */
    public static int crypto_box_open_afternm(final byte[] plain, final byte[] box, final long length,
            final byte[] nonce, final byte[] shared) {
        return xsalsa20poly1305.crypto_secretbox_open(plain, box, length, nonce, shared);
    }

    /** Seals for the owner of a public key. */
    public static int crypto_box(final byte[] box, final byte[] plain, final long length, final byte[] nonce,
            final byte[] publicKey, final byte[] secretKey) {
        return Box.share(publicKey, secretKey)
            .map(shared -> crypto_box_afternm(box, plain, length, nonce, shared)).orElse(-1);
    }

    /** Opens what the owner of a public key sealed. */
    public static int crypto_box_open(final byte[] plain, final byte[] box, final long length, final byte[] nonce,
            final byte[] publicKey, final byte[] secretKey) {
        return Box.share(publicKey, secretKey)
            .map(shared -> crypto_box_open_afternm(plain, box, length, nonce, shared)).orElse(-1);
    }
}
