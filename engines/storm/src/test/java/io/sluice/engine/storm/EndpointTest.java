// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "10.0.0.1", "192.168.99.250", "255.255.255.255", "fd00:0:0:0:0:0:0:1"})
    void anAddressIsReadAsItIsWritten(final String address) {
        assertEquals(address, Endpoint.ip(address).getHostAddress());
        assertEquals(new Endpoint(address, 6700), Endpoint.parse(address + ":6700"));
    }

    @Test
    void anAddressMayBeShort() {
        assertEquals("fd00:0:0:0:0:0:0:1", Endpoint.ip("fd00::1").getHostAddress());
        assertEquals("10.0.0.1", Endpoint.ip("::ffff:10.0.0.1").getHostAddress());
    }

    /** Whoever looks a name up and does not find it has a cause. */
    @ParameterizedTest
    @ValueSource(strings = {"1.2.3.4.5", "999.1.1.1", "256.0.0.1", "10.1", "10", "1.2.3.", ".:1", "host", ""})
    void whatIsNoAddressIsRefusedAndNotLookedUp(final String text) {
        final var refusal = assertThrows(IllegalArgumentException.class, () -> Endpoint.ip(text));
        assertEquals("no IP address: " + text, refusal.getMessage());
        assertNull(refusal.getCause());
    }
}
