// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a proxy can be. */
class RemoteTest {
    private static final String KEY = CurveKeys.generate().publicKey();

    @Test
    void aPortIsFrom1To65535() {
        for (final var right : List.of("tcp://192.0.2.1:1", "tcp://proxy.example:65535")) {
            assertEquals(right, new Remote(right, KEY).address());
        }
        for (final var wrong : List.of("tcp://192.0.2.1:0", "tcp://192.0.2.1:65536", "tcp://192.0.2.1:99999")) {
            final var refusal = assertThrows(IllegalArgumentException.class, () -> new Remote(wrong, KEY));
            assertTrue(refusal.getMessage().contains("65535") && refusal.getMessage().contains(wrong));
        }
    }

    @Test
    void anAddressNeedsNoNameServerAndAnUnknownNameIsNothing() {
        assertEquals(Optional.of("tcp://192.0.2.1:5570"), new Remote("tcp://192.0.2.1:5570", KEY).lookUp());
        assertEquals(Optional.empty(), new Remote("tcp://nowhere.invalid:5570", KEY).lookUp());
    }
}
