// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.time.Instant;

/**
 * A key that is not allowed, and was tried.
 *
 * @param publicKey in Z85
 * @param address where it was tried from last
 * @param attempts how often it was tried
 * @param latest when it was tried last
 */
public record RefusedKey(String publicKey, String address, long attempts, Instant latest) {
    /** Returns this after another attempt. */
    RefusedKey again(final String from, final Instant now) {
        return new RefusedKey(publicKey, from, attempts + 1, now);
    }
}
