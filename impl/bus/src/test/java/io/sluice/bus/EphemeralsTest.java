// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of the last values of nodes that are gone. */
class EphemeralsTest {
    private static final String NODE = "A/one";
    private static final long EPOCH = 1 << 20;

    private final ProxyCore proxy = new ProxyCore("A", BusLimits.DEFAULT);
    private final Map<Peer, Integer> counts = new HashMap<>();
    /** Bodies that a subscriber and another site's proxy got. */
    private final List<String> here = new ArrayList<>();
    private final List<String> there = new ArrayList<>();
    private final Peer subscriber = connect(proxy, "A/two", 0, here);
    private final Peer remote = proxy.call("B", frame -> note(frame, there));

    EphemeralsTest() {
        say(proxy, subscriber, Kind.SUBSCRIBE, "", "/", "");
        proxy.tick();
        proxy.receive(remote, new Frame(Kind.WELCOME, "B", "", 0, 1, 0));
    }

    private static boolean note(final Frame frame, final List<String> heard) {
        if (frame.kind() == Kind.DATA) {
            heard.add(frame.text());
        }
        return true;
    }

    private static Peer connect(final ProxyCore to, final String name, final long epoch, final List<String> heard) {
        final var peer = to.accept(frame -> note(frame, heard));
        to.receive(peer, new Frame(Kind.HELLO, name, "", epoch, 1, 0));
        return peer;
    }

    private Peer connect(final long epoch) {
        return connect(proxy, NODE, epoch, new ArrayList<>());
    }

    private void say(final ProxyCore to, final Peer peer, final Kind kind, final String node, final String topic,
            final String body) {
        say(to, peer, kind, node, topic, EPOCH, body);
    }

    private void say(final ProxyCore to, final Peer peer, final Kind kind, final String node, final String topic,
            final long epoch, final String body) {
        to.receive(peer, new Frame(kind, node, topic, epoch, kind == Kind.DATA ? 1 : 0, 1,
            body.getBytes(StandardCharsets.UTF_8)).counted(counts.merge(peer, 1, Integer::sum)));
    }

    private void offerAndLeave() {
        final var node = connect(EPOCH);
        say(proxy, node, Kind.DATA, NODE, "/c1", "offer");
        proxy.lost(node);
    }

    /** Lets time pass, while everybody but the node keeps its session. */
    private void pass(final int ticks, final Peer... living) {
        for (int i = 0; i < ticks; i++) {
            for (final var peer : living) {
                proxy.receive(peer, new Frame(Kind.STATUS, "", "", 1, counts.getOrDefault(peer, 0),
                    peer.link.sent()));
            }
            proxy.tick();
        }
    }

    @Test
    void whatANodeThatIsGoneSaidIsWithdrawnAfterAMinute() {
        offerAndLeave();
        pass(Ephemerals.GRACE_TICKS - 1, subscriber, remote);
        assertEquals(List.of("offer"), here);

        pass(1, subscriber, remote);

        assertEquals(List.of("offer", ""), here);
        assertEquals(List.of("offer", ""), there);
        assertEquals(1, proxy.state().withdrawals());
        pass(2 * Ephemerals.GRACE_TICKS, subscriber, remote);
        assertEquals(2, here.size(), "it is said once");
    }

    @Test
    void aNodeThatIsBackInTimeKeepsItsValues() {
        offerAndLeave();
        pass(Ephemerals.GRACE_TICKS - 1, subscriber, remote);

        final var again = connect(EPOCH);
        pass(2 * Ephemerals.GRACE_TICKS, subscriber, remote, again);

        assertEquals(List.of("offer"), here);
    }

    @Test
    void aNodeThatIsBackLaterHasItsValuesBack() {
        offerAndLeave();
        pass(Ephemerals.GRACE_TICKS, subscriber, remote);

        say(proxy, connect(EPOCH), Kind.DATA, NODE, "/c1", "offer");

        assertEquals(List.of("offer", "", "offer"), here);
        assertEquals(List.of("offer", "", "offer"), there);
    }

    @Test
    void whatAnEarlierStartSaidAloneIsWithdrawnAMinuteAfterTheNextOne() {
        final var killed = connect(EPOCH);
        say(proxy, killed, Kind.DATA, NODE, "/c1", "old");
        say(proxy, killed, Kind.DATA, NODE, "/c2", "old");
        proxy.lost(killed);
        final var started = connect(2 * EPOCH);
        say(proxy, started, Kind.DATA, NODE, "/c2", 2 * EPOCH, "new");

        pass(Ephemerals.GRACE_TICKS, subscriber, remote, started);

        assertEquals(List.of("old", "old", "new", ""), here);
        assertEquals(1, proxy.state().withdrawals());
    }

    @Test
    void sessionsThatBreakDoNotKeepWhatAnEarlierStartSaid() {
        final var killed = connect(EPOCH);
        say(proxy, killed, Kind.DATA, NODE, "/c1", "old");
        proxy.lost(killed);

        for (int session = 0; session < 3; session++) {
            final var started = connect(2 * EPOCH);
            pass(Ephemerals.GRACE_TICKS / 3, subscriber, remote, started);
            proxy.lost(started);
        }

        assertEquals(List.of("old", ""), here);
    }

    @Test
    void whatOtherNodesSaidStays() {
        final var node = connect(0);
        say(proxy, node, Kind.DATA, NODE, "/c1", "routes");
        proxy.lost(node);
        pass(2 * Ephemerals.GRACE_TICKS, subscriber, remote);
        assertEquals(List.of("routes"), here);

        proxy.lost(connect(EPOCH));
        proxy.lost(connect(0));
        pass(2 * Ephemerals.GRACE_TICKS, subscriber, remote);
        assertEquals(List.of("routes"), here, "the latest session says how it is");
    }

    @Test
    void anotherSitesProxyPassesOnWhatThisOneSaysAndSaysItOnce() {
        final var other = new ProxyCore("B", BusLimits.DEFAULT);
        final var heard = new ArrayList<String>();
        say(other, connect(other, "B/two", 0, heard), Kind.SUBSCRIBE, "", "/", "");
        final var site = connect(other, "A", 0, new ArrayList<>());
        say(other, site, Kind.DATA, NODE, "/c1", "offer");
        say(other, site, Kind.DATA, NODE, "/c1", "");
        say(other, site, Kind.DATA, NODE, "/c1", "");
        assertEquals(List.of("offer", ""), heard);
        assertEquals(1, other.state().refusals().get(Refusal.DUPLICATE));

        say(other, connect(other, "A", 0, new ArrayList<>()), Kind.DATA, NODE, "/c1", "offer");

        assertEquals(List.of("offer", "", "offer"), heard, "also if that was killed meanwhile");
    }
}
