// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MaskedIpTest {
    @ParameterizedTest
    @CsvSource({"10.0.0.0,0", "10.0.0.0,8", "10.1.2.3,32", "fd00::,16", "fd00::1,128"})
    void aPrefixKnowsItsLength(final String address, final int length) throws UnknownHostException {
        final var network = length == 0 ? ip("0.0.0.0") : ip(address);
        assertEquals(OptionalInt.of(length), MaskedIp.prefix(network, length).prefixLength());
        assertTrue(MaskedIp.prefix(network, length).contains(ip(address)));
        assertEquals(network.getHostAddress() + "/" + length, MaskedIp.prefix(network, length).toString());
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.21,0.0.0.15,0.0.0.5", "10.7.0.37,255.0.0.15,10.0.0.5", "fd00::15,::f,::5",
        "::ffff:a:1,::ffff:0:f,::ffff:0:1"})
    void aPatternTakesTheAddressesThatAgreeInItsBits(final String address, final String mask, final String masked)
            throws UnknownHostException {
        final var pattern = MaskedIp.of(ip(address), ip(mask));
        assertEquals(new MaskedIp(ip(masked), ip(mask)), pattern);
        assertEquals(OptionalInt.empty(), pattern.prefixLength());
        assertTrue(pattern.contains(ip(address)));
        assertTrue(pattern.contains(ip(masked)));
        assertFalse(pattern.contains(ip("10.0.0.6")));
        assertFalse(pattern.contains(ip("fd00::6")));
        assertFalse(pattern.isHost());
        assertTrue(pattern.toString().endsWith("/" + ip(mask).getHostAddress()));
    }

    @Test
    void oneAddressIsAHost() throws UnknownHostException {
        assertTrue(MaskedIp.host(ip("10.0.0.1")).isHost());
        assertTrue(MaskedIp.host(ip("fd00::1")).isHost());
        assertFalse(MaskedIp.prefix(ip("10.0.0.0"), 31).isHost());
        assertFalse(MaskedIp.host(ip("10.0.0.1")).contains(ip("10.0.0.3")));
    }

    @Test
    void bitsOutsideTheMaskAndMixedFamiliesAreBugs() throws UnknownHostException {
        assertThrows(IllegalArgumentException.class, () -> new MaskedIp(ip("10.0.0.1"), ip("255.0.0.0")));
        assertThrows(IllegalArgumentException.class, () -> new MaskedIp(ip("10.0.0.0"), ip("ff::")));
        assertThrows(IllegalArgumentException.class, () -> MaskedIp.prefix(ip("10.0.0.0"), 33));
        assertThrows(IllegalArgumentException.class, () -> MaskedIp.prefix(ip("10.0.0.1"), 24));
    }

    private static InetAddress ip(final String literal) throws UnknownHostException {
        return InetAddress.getByName(literal);
    }
}
