// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.bus.BusState;
import io.sluice.bus.LinkState;
import io.sluice.bus.NodeState;
import io.sluice.bus.ProxyState;
import io.sluice.bus.Refusal;
import io.sluice.bus.RefusedKey;
import io.sluice.bus.Remote;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Bus;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.NodeName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublicKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.SiteName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.NodeKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RefusedKeyKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSiteKey;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

class CodecTest {
    private static final String OWN = "o".repeat(40);
    private static final String NODE = "n".repeat(40);
    private static final String OTHER = "m".repeat(40);
    private static final String SITE = "s".repeat(40);
    private static final LinkState LINK = new LinkState(true, 1, 2, 3, 4, 5);

    private static ConfigCodec.Decoded decoded(final Bus bus) {
        return ConfigCodec.decode(bus);
    }

    private static BusState running(final Map<String, LinkState> links) {
        return new BusState(OWN, "c".repeat(40), new ProxyState("A", links, 6, 7,
            Map.of(Refusal.KEY, 8L, Refusal.DUPLICATE, 9L, Refusal.MALFORMED, 12L, Refusal.TARGET, 13L), 14, 18),
            new NodeState(LINK, 15, 16, 17), 10,
            List.of(new RefusedKey("x".repeat(40), "192.0.2.9", 11, Instant.parse("2026-11-22T20:00:00.123Z"))));
    }

    @Test
    void aKeyMayHaveEachCharacterOfZ85() {
        final var symbols = ".-:+=^!/*?&<>()[]{}@%$#";
        assertEquals(23, symbols.length());
        final var key = (symbols + "0123456789abcXYZ").concat("z".repeat(40)).substring(0, 40);
        assertEquals(key, new PublicKey(key).getValue());
        for (final var other : List.of("_", "\"", "'", "\\", ",", ";", " ", "~", "`", "|")) {
            assertThrows(IllegalArgumentException.class, () -> new PublicKey(key.substring(1) + other), other);
        }
    }

    @Test
    void whatIsNotSetHasItsDefault() {
        final var decoded = decoded(Configured.site("A")
            .setRemoteSite(BindingMap.of(Configured.remote("B", SITE))).build());

        final var config = decoded.config();
        assertEquals(List.of("A", "127.0.0.1"), List.of(config.site(), config.address()));
        assertEquals(5570, config.port());
        assertEquals(Map.of("B", new Remote("tcp://192.0.2.1:5570", SITE)), config.remotes());
        assertEquals(Map.of(), decoded.faults());
    }

    @Test
    void nodesAndSitesAreLetInByTheirKeys() {
        final var config = decoded(Configured.site("A").setPort(Configured.port(1))
            .setNode(BindingMap.of(Configured.node("forwarder", NODE, OTHER)))
            .setRemoteSite(BindingMap.of(Configured.remote("B", SITE))).build()).config();

        assertEquals(Map.of(NODE, "A/forwarder", OTHER, "A/forwarder", SITE, "B"), config.allowed().names());
        assertEquals(1, config.port());
    }

    @Test
    void whatBreaksARuleIsLeftOutAndToldOf() {
        final var decoded = decoded(Configured.site("A")
            .setNode(BindingMap.of(Configured.node("a", NODE), Configured.node("b", NODE, OTHER),
                Configured.node("controller", OWN)))
            .setRemoteSite(BindingMap.of(Configured.remote("A", OWN), Configured.remote("B", SITE),
                Configured.remote("C", SITE))).build());

        assertEquals(Map.of(NODE, "A/a", OTHER, "A/b", SITE, "B"), decoded.config().allowed().names());
        assertEquals(Set.of("B"), decoded.config().remotes().keySet());
        assertEquals(Map.of("node b", "its key " + NODE + " is that of A/a",
            "node controller", "the node controller is this controller",
            "remote-site A", "a remote site is another than this one",
            "remote-site C", "its key " + SITE + " is that of B"), decoded.faults());
    }

    @Test
    void stateIsTheConfigurationWithWhatBecomesOfIt() {
        final var decoded = decoded(Configured.site("A")
            .setNode(BindingMap.of(Configured.node("a", NODE), Configured.node("b", NODE)))
            .setRemoteSite(BindingMap.of(Configured.remote("B", SITE))).build());

        final var state = StateCodec.state(decoded, Optional.empty(),
            Optional.of(running(Map.of("A/a", LINK, "A/controller", LINK))));

        assertEquals(OWN, state.getPublicKey().getValue());
        assertNull(state.getFault());
        assertEquals(5570, state.getPort().getValue().toJava());
        final var link = state.nonnullNode().get(new NodeKey(new NodeName("a"))).getLink();
        assertTrue(link.getUp());
        assertEquals(List.of(Uint64.ONE, Uint64.TWO, Uint32.valueOf(3), Uint64.valueOf(4), Uint64.valueOf(5)),
            List.of(link.getMessages(), link.getUnconfirmed(), link.getWaiting(), link.getDeferred(),
                link.getRenewals()));
        final var ignored = state.nonnullNode().get(new NodeKey(new NodeName("b")));
        assertNull(ignored.getLink());
        assertEquals("its key " + NODE + " is that of A/a", ignored.getFault());
        assertFalse(state.nonnullRemoteSite().get(new RemoteSiteKey(new SiteName("B"))).getLink().getUp());
        assertTrue(state.nonnullNode().get(new NodeKey(new NodeName("controller"))).getLink().getUp());
        final var own = state.getOwnNode();
        assertEquals(Uint64.valueOf(5), own.getRenewals());
        assertEquals(List.of(Uint64.valueOf(15), Uint64.valueOf(16), Uint64.valueOf(17)),
            List.of(own.getDuplicates(), own.getGaps(), own.getMalformed()));
    }

    @Test
    void aSiteThatIsNotUsedIsDown() {
        final var state = StateCodec.state(decoded(Configured.site("A").setRemoteSite(BindingMap.of(
            Configured.remote("B", SITE), Configured.remote("C", SITE))).build()), Optional.empty(),
            Optional.of(running(Map.of("B", LINK))));

        final var unused = state.nonnullRemoteSite().get(new RemoteSiteKey(new SiteName("C")));
        assertEquals("its key " + SITE + " is that of B", unused.getFault());
        assertFalse(unused.getLink().getUp());
    }

    @Test
    void theFaultOfANodeThatIsTheControllerIsShown() {
        final var decoded = decoded(Configured.site("A")
            .setNode(BindingMap.of(Configured.node("controller", NODE))).build());

        for (final var bus : List.of(Optional.<BusState>empty(), Optional.of(running(Map.of())))) {
            final var own = StateCodec.state(decoded, Optional.empty(), bus).nonnullNode()
                .get(new NodeKey(new NodeName("controller")));
            assertEquals("the node controller is this controller", own.getFault());
        }
    }

    @Test
    void refusalsAreShownByReasonAndKey() {
        final var state = StateCodec.state(decoded(Configured.site("A").build()), Optional.empty(),
            Optional.of(running(Map.of())));

        assertEquals(Uint64.valueOf(8), state.getRefusedFrames().getUnknownKey());
        assertEquals(Uint64.valueOf(9), state.getRefusedFrames().getDuplicate());
        assertEquals(Uint64.valueOf(12), state.getRefusedFrames().getMalformed());
        assertEquals(Uint64.valueOf(13), state.getRefusedFrames().getNoTarget());
        assertEquals(Uint64.valueOf(14), state.getReplacedSessions());
        assertEquals(Uint64.valueOf(18), state.getWithdrawnValues());
        assertEquals(Uint64.TEN, state.getRefusedConnections());
        assertEquals(List.of(Uint32.valueOf(6), Uint32.valueOf(7)), List.of(state.getFilters(), state.getStreams()));
        final var key = state.nonnullRefusedKey().get(new RefusedKeyKey(new PublicKey("x".repeat(40))));
        assertEquals("2026-11-22T20:00:00Z", key.getLatest().getValue());
        assertEquals(Uint64.valueOf(11), key.getAttempts());
    }

    @Test
    void aBusThatDoesNotRunShowsWhy() {
        final var state = StateCodec.state(decoded(Configured.site("A")
            .setRemoteSite(BindingMap.of(Configured.remote("B", SITE))).build()),
            Optional.of("the address is taken"), Optional.empty());

        assertEquals("the address is taken", state.getFault());
        assertNull(state.getPublicKey());
        final var link = state.nonnullRemoteSite().get(new RemoteSiteKey(new SiteName("B"))).getLink();
        assertFalse(link.getUp());
        assertNull(link.getMessages());
        assertEquals(Map.of(), state.nonnullNode());
    }
}
