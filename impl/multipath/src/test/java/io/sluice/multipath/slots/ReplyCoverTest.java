// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.slots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.MaskedIp;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyCoverTest {
    private static final SwitchId ONE = new SwitchId("openflow:1");
    private static final SwitchId TWO = new SwitchId("openflow:2");
    private static final SlotMask SLOTS = new SlotMask(16, false);

    @Test
    void oneSwitchNeedsTheSlotsBitsAlone() {
        assertEquals(Map.of(ONE, List.of(SLOTS.clients(5))), ReplyCover.of(SLOTS.clients(5),
            Map.of(ip("10.0.0.5"), ONE, ip("10.0.7.21"), ONE)));
        assertEquals(Map.of(), ReplyCover.of(SLOTS.clients(5), Map.of()));
    }

    @Test
    void aSubnetToASwitchCostsOneEntry() {
        final var clients = new HashMap<InetAddress, SwitchId>();
        for (int host = 5; host < 256; host += 16) {
            clients.put(ip("10.0.0." + host), ONE);
            clients.put(ip("10.0.1." + host), TWO);
        }
        final var cover = ReplyCover.of(SLOTS.clients(5), clients);
        assertEquals(1, cover.get(ONE).size());
        assertEquals(1, cover.get(TWO).size());
        assertEquals("10.0.1.5/255.255.255.15", cover.get(TWO).getFirst().toString());
        assertTrue(cover.get(TWO).getFirst().contains(ip("10.0.1.245")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachClientIsInOnePatternOfItsSwitchAndNoTwoPatternsMeet(final boolean ipv6) {
        final long seed = System.nanoTime();
        final var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            final var mask = new SlotMask(2 << random.nextInt(6), ipv6);
            final int slot = random.nextInt(mask.slots());
            final var clients = new HashMap<InetAddress, SwitchId>();
            for (int i = random.nextInt(40); i > 0; i--) {
                final int host = random.nextInt(4) * mask.slots() + slot;
                clients.put(ipv6 ? ip("fd00::" + random.nextInt(3) + ":" + Integer.toHexString(host))
                    : ip("10." + random.nextInt(3) + "." + random.nextInt(3) + "." + host % 256),
                    new SwitchId("openflow:" + (1 + random.nextInt(3))));
            }
            final var cover = ReplyCover.of(mask.clients(slot), clients);
            final var patterns = cover.values().stream().flatMap(List::stream).toList();
            clients.forEach((client, edge) -> {
                assertTrue(cover.get(edge).stream().anyMatch(pattern -> pattern.contains(client)),
                    () -> "seed " + seed);
                assertEquals(1, patterns.stream().filter(pattern -> pattern.contains(client)).count(),
                    () -> "seed " + seed);
            });
            for (var one : patterns) {
                assertEquals(List.of(one), patterns.stream().filter(other -> meet(one, other)).toList(),
                    () -> "seed " + seed);
            }
            assertTrue(ReplyCover.fits(cover, clients), () -> "seed " + seed);
        }
    }

    @Test
    void aCoverIsWrongIfAClientIsMissingOrElsewhere() {
        final var cover = ReplyCover.of(SLOTS.clients(5), Map.of(ip("10.0.0.5"), ONE, ip("10.0.1.5"), TWO));
        assertTrue(ReplyCover.fits(cover, Map.of(ip("10.0.0.21"), ONE)));
        assertFalse(ReplyCover.fits(cover, Map.of(ip("10.0.0.21"), TWO)));
        assertFalse(ReplyCover.fits(cover, Map.of(ip("10.0.0.21"), new SwitchId("openflow:3"))));
        assertFalse(ReplyCover.fits(Map.of(), Map.of(ip("10.0.0.5"), ONE)));
    }

    /** Slow and obvious: two patterns have an address in common if they agree in the bits that both ask for. */
    private static boolean meet(final MaskedIp one, final MaskedIp other) {
        final byte[] left = one.address().getAddress();
        final byte[] right = other.address().getAddress();
        boolean agree = true;
        for (int i = 0; i < left.length; i++) {
            final int both = one.mask().getAddress()[i] & other.mask().getAddress()[i];
            agree &= ((left[i] ^ right[i]) & both) == 0;
        }
        return agree;
    }

    private static InetAddress ip(final String literal) {
        return Addresses.ip(literal);
    }
}
