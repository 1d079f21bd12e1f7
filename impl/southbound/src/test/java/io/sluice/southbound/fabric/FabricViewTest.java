// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FabricViewTest {
    private static final SwitchId S1 = new SwitchId("openflow:1");
    private static final SwitchId S2 = new SwitchId("openflow:2");
    private static final PortId P1 = new PortId(S1, 1);
    private static final PortId P2 = new PortId(S2, 1);
    private static final Bandwidth SPEED = Bandwidth.ofMegabits(1000);

    private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    private final FabricView view = new FabricView(loop::add);
    private final List<FabricSnapshot> heard = new ArrayList<>();

    @BeforeEach
    void twoSwitchesAndACable() {
        view.subscribe(heard::add);
        view.attached(S1);
        view.attached(S2);
        port(P1, true);
        port(P2, true);
        view.linkFound(P1, P2);
        view.linkFound(P2, P1);
        run();
    }

    @Test
    void reportsThatQueueUpMakeOneSnapshot() {
        assertEquals(1, heard.size());
        assertEquals(Set.of(S1, S2), heard.getFirst().switches());
        assertEquals(List.of(new Link(P1, P2, SPEED, Bandwidth.ZERO), new Link(P2, P1, SPEED, Bandwidth.ZERO)),
            view.snapshot().links());
    }

    @Test
    void linkIsGoneWhileOneOfItsPortsIsDown() {
        port(P2, false);
        run();
        assertEquals(List.of(), view.snapshot().links());
        assertEquals(Set.of(P1, P2), view.innerPorts());

        port(P2, true);
        run();
        assertEquals(2, view.snapshot().links().size());
    }

    @Test
    void linkThatDiscoveryGaveUpStaysAway() {
        view.linkLost(P1);
        run();

        assertEquals(List.of(P2), view.snapshot().links().stream().map(Link::source).toList());
    }

    @Test
    void switchThatDetachesTakesItsPortsOutOfTheSnapshot() {
        view.detached(S2);
        run();

        assertEquals(Set.of(P1), view.snapshot().ports().keySet());
        assertEquals(List.of(), view.snapshot().links());
    }

    @Test
    void reattachingInAnyOrderOfReportsLosesNoPort() {
        view.portGone(P2);
        port(P2, true);
        view.detached(S2);
        view.attached(S2);
        run();

        assertEquals(2, view.snapshot().links().size());
    }

    @Test
    void reportWithoutNewsMakesNoSnapshot() {
        port(P1, true);
        view.linkFound(P1, P2);
        view.attached(S1);
        run();

        assertEquals(1, heard.size());
    }

    @Test
    void ratesShowWithoutANewVersion() {
        final long version = view.snapshot().version();
        view.rates(Map.of(P1, new PortRates(Bandwidth.ofMegabits(1), Bandwidth.ofMegabits(2))));
        run();

        assertEquals(version, view.snapshot().version());
        assertEquals(Bandwidth.ofMegabits(1), view.snapshot().ports().get(P1).received());
        assertEquals(Bandwidth.ofMegabits(2), view.snapshot().linkFrom(P1).orElseThrow().load());
    }

    @Test
    void operatorsCapacityComesBeforeTheSpeed() {
        final long version = view.snapshot().version();
        view.settings(Map.of(P1,
            new PortSettings(Optional.of(Bandwidth.ofMegabits(10)), Set.of(), Set.of(), Set.of())));
        run();
        assertTrue(view.snapshot().version() > version);
        assertEquals(Bandwidth.ofMegabits(10), view.snapshot().linkFrom(P1).orElseThrow().capacity());
        assertEquals(SPEED, view.snapshot().linkFrom(P2).orElseThrow().capacity());

        view.settings(Map.of());
        run();
        assertEquals(SPEED, view.snapshot().linkFrom(P1).orElseThrow().capacity());
    }

    @Test
    void cableIsInTheRiskGroupsOfBothItsPorts() {
        final long version = view.snapshot().version();
        view.settings(Map.of(P1, new PortSettings(Optional.empty(), Set.of(1L, 2L), Set.of(), Set.of()),
            P2, new PortSettings(Optional.empty(), Set.of(2L, 3L), Set.of(), Set.of())));
        run();

        assertTrue(view.snapshot().version() > version);
        view.snapshot().links().forEach(link -> assertEquals(Set.of(1L, 2L, 3L), link.sharedRiskGroups()));
        assertEquals(SPEED, view.snapshot().linkFrom(P1).orElseThrow().capacity());
    }

    @Test
    void vlansAreOfThePortsThatListAny() {
        view.settings(Map.of(P1, new PortSettings(Optional.empty(), Set.of(), Set.of(), Set.of(1, 4094)),
            P2, new PortSettings(Optional.empty(), Set.of(), Set.of(), Set.of())));
        run();
        assertEquals(Map.of(P1, Set.of(1, 4094)), view.vlans());
    }

    @Test
    void whatWasReportedComesBeforeWhatWasRead() {
        final var set = new PortSettings(Optional.empty(), Set.of(), Set.of(), Set.of(7));
        view.settingsRead(Map.of(P1, set));
        run();
        assertEquals(Map.of(P1, Set.of(7)), view.vlans());

        view.settings(Map.of());
        view.settingsRead(Map.of(P1, set));
        run();
        assertEquals(Map.of(), view.vlans());
    }

    @Test
    void closedSubscriptionHearsNothing() {
        final var later = new ArrayList<FabricSnapshot>();
        final var subscription = view.subscribe(later::add);
        port(P1, false);
        subscription.close();
        run();

        assertEquals(List.of(), later);
    }

    @Test
    void failingSubscriberKeepsNobodyFromHearing() {
        final var later = new ArrayList<FabricSnapshot>();
        view.subscribe(snapshot -> {
            throw new IllegalStateException("a faulty subscriber");
        });
        view.subscribe(later::add);
        port(P1, false);
        run();

        assertEquals(1, later.size());
    }

    private void port(final PortId id, final boolean up) {
        view.portSeen(new PortStatus(id, "s-eth1", up, SPEED));
    }

    private void run() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }
}
