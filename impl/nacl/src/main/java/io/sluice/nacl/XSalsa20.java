// SPDX-License-Identifier: EPL-2.0
package io.sluice.nacl;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.bouncycastle.crypto.engines.Salsa20Engine;

/**
 * The stream of a key and a nonce of 24 bytes, always from its beginning. Bouncy Castle's own {@code XSalsa20Engine}
 * gives the same, byte by byte, which takes longer.
 */
final class XSalsa20 {
    static final int KEY_BYTES = 32;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    /** "expand 32-byte k", in the diagonal of the state. */
    private static final int[] SIGMA = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    private static final int ROUNDS = 20;
    private static final int STATE_WORDS = 16;
    private static final int BLOCK_NUMBER = 8;
    private static final int BLOCK_BYTES = STATE_WORDS * Integer.BYTES;
    /** Where HSalsa20 finds its 8 words. */
    private static final int[] DERIVED = {0, 5, 10, 15, 6, 7, 8, 9};

    private final int[] state;
    private final int[] block = new int[STATE_WORDS];

    XSalsa20(final byte[] key, final byte[] nonce) {
        state = state(derive(state(words(key, 0, 8), words(nonce, 0, 4))), words(nonce, 16, 2));
    }

    /** Returns HSalsa20 of {@code key} and 16 zeros: how NaCl makes a key of what two key pairs share. */
    static byte[] derive(final byte[] key) {
        final var bytes = new byte[KEY_BYTES];
        store(bytes, derive(state(words(key, 0, 8), new int[4])));
        return bytes;
    }

    /** Writes the first {@code length} bytes of {@code in}, combined with the stream, to {@code out}. */
    void xor(final byte[] out, final byte[] in, final int length) {
        state[BLOCK_NUMBER] = 0;
        int at = 0;
        for (; at + BLOCK_BYTES <= length; at += BLOCK_BYTES) {
            next();
            for (int i = 0; i < STATE_WORDS; i++) {
                final int offset = at + i * Integer.BYTES;
                WORDS.set(out, offset, (int) WORDS.get(in, offset) ^ block[i]);
            }
        }
        if (at < length) {
            next();
            final var rest = new byte[BLOCK_BYTES];
            store(rest, block);
            for (int i = at; i < length; i++) {
                out[i] = (byte) (in[i] ^ rest[i - at]);
            }
        }
    }

    private void next() {
        Salsa20Engine.salsaCore(ROUNDS, state, block);
        state[BLOCK_NUMBER]++;
    }

    /** Returns HSalsa20's words: the core without the sum of its end. */
    private static int[] derive(final int[] input) {
        final var output = new int[STATE_WORDS];
        Salsa20Engine.salsaCore(ROUNDS, input, output);
        final var derived = new int[DERIVED.length];
        for (int i = 0; i < derived.length; i++) {
            derived[i] = output[DERIVED[i]] - input[DERIVED[i]];
        }
        return derived;
    }

    /** Returns Salsa20's state for a key of 8 words and up to 4 words of nonce; the others, a block's number, are 0. */
    private static int[] state(final int[] key, final int[] nonce) {
        final var state = new int[STATE_WORDS];
        for (int i = 0; i < SIGMA.length; i++) {
            state[5 * i] = SIGMA[i];
        }
        System.arraycopy(key, 0, state, 1, 4);
        System.arraycopy(nonce, 0, state, 6, nonce.length);
        System.arraycopy(key, 4, state, 11, 4);
        return state;
    }

    private static void store(final byte[] bytes, final int[] words) {
        for (int i = 0; i < words.length; i++) {
            WORDS.set(bytes, i * Integer.BYTES, words[i]);
        }
    }

    private static int[] words(final byte[] bytes, final int offset, final int count) {
        final var words = new int[count];
        for (int i = 0; i < count; i++) {
            words[i] = (int) WORDS.get(bytes, offset + i * Integer.BYTES);
        }
        return words;
    }
}
