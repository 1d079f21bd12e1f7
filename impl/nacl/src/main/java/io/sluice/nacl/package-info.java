// SPDX-License-Identifier: EPL-2.0
/**
 * NaCl's authenticated encryption for the bus: {@link io.sluice.nacl.SecretBox} with a shared key,
 * {@link io.sluice.nacl.Box} with key pairs. The primitives are Bouncy Castle's: X25519, the core of Salsa20,
 * Poly1305.
 *
 * <p>JeroMQ calls jnacl by the names of its classes; those that stand in {@code com.neilalexander.jnacl.crypto} here
 * take their place, so that jnacl, which takes much longer, is not needed.
 *
 * <p>Buffers are padded as in NaCl's C functions: a plain text begins with {@link io.sluice.nacl.SecretBox#PADDING}
 * zeros, its box with half as many and 16 bytes of authenticator. Source: D. J. Bernstein, "Cryptography in NaCl"
 * (2009) and "Extending the Salsa20 nonce" (2011).
 */
package io.sluice.nacl;
