// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a proxy counts. */
class ProxyCoreTest {
    private final ProxyCore proxy = new ProxyCore("B", BusLimits.DEFAULT);
    private final Map<Peer, Integer> counts = new HashMap<>();

    private Peer connect(final String name) {
        final var peer = proxy.accept(frame -> true);
        proxy.receive(peer, new Frame(Kind.HELLO, name, "", 0, 1, 0));
        return peer;
    }

    private void say(final Peer peer, final Kind kind, final String node, final String topic, final long mark) {
        proxy.receive(peer, new Frame(kind, node, topic, 1, 1, mark).counted(counts.merge(peer, 1, Integer::sum)));
    }

    private long refused(final Refusal refusal) {
        return proxy.state().refusals().get(refusal);
    }

    @Test
    void whatIsForNobodyHereIsCounted() {
        final var node = connect("B/one");
        say(node, Kind.REPLAY, "B/absent", "/c1", 1);
        say(node, Kind.REPLY, "B/one", "B/absent", 0);
        say(node, Kind.REFUSED, "B/one", "C/absent", 0);
        assertEquals(3, refused(Refusal.TARGET));

        say(node, Kind.REQUEST, "B/one", "B/absent", 0);
        assertEquals(3, refused(Refusal.TARGET), "the asker is told");
    }

    @Test
    void aSessionThatAnotherConnectionTakesOverIsCounted() {
        final var first = connect("B/one");
        assertEquals(0, proxy.state().replacements());
        final var second = connect("B/one");
        assertEquals(1, proxy.state().replacements());

        proxy.lost(second);
        connect("B/one");

        assertEquals(1, proxy.state().replacements());
        assertEquals(false, proxy.has(first));
    }
}
