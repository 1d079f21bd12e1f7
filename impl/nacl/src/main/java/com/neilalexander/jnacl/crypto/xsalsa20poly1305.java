// SPDX-License-Identifier: EPL-2.0
package com.neilalexander.jnacl.crypto;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import io.sluice.nacl.SecretBox;

/** Boxes with a key that both sides have, as JeroMQ knows them. */
@SuppressFBWarnings(value = "NM_CLASS_NAMING_CONVENTION", justification = "JeroMQ calls it so")
public final class xsalsa20poly1305 {
    private xsalsa20poly1305() {
        // static methods alone
    }

    /** {@link SecretBox#seal}. */
    public static int crypto_secretbox(final byte[] box, final byte[] plain, final long length, final byte[] nonce,
            final byte[] key) {
        if (length < SecretBox.PADDING) {
            return -1;
        }
        SecretBox.seal(box, plain, (int) length, nonce, key);
        return 0;
    }

    /** {@link SecretBox#open}. */
    public static int crypto_secretbox_open(final byte[] plain, final byte[] box, final long length,
            final byte[] nonce, final byte[] key) {
        return SecretBox.open(plain, box, (int) length, nonce, key) ? 0 : -1;
    }
}
