// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.net.InetAddresses;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.api.Timer;
import io.sluice.southbound.fabric.BaseEntries.Abilities;
import io.sluice.southbound.fabric.FabricProgram.Situation;
import io.sluice.southbound.hosts.Acquaintance;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FabricProgramTest {
    private static final SwitchId S1 = new SwitchId("openflow:1");
    private static final SwitchId S2 = new SwitchId("openflow:2");
    private static final MacAddress MAC = MacAddress.of("0a:00:00:00:00:01");
    private static final MacAddress THERE = MacAddress.of("0a:00:00:00:00:02");
    private static final InetAddress ASKED = InetAddresses.forString("10.0.0.2");
    private static final Memory.Contents NOTHING = new Memory.Contents(Map.of(), Map.of());

    private final RecordingMemory memory = new RecordingMemory();
    private final RecordingClaim claim = new RecordingClaim();

    @Test
    void switchGetsItsBaseOnceWhenItAttaches() {
        final var program = program(NOTHING);
        program.update(situation(Set.of(S1), List.of()));
        program.update(situation(Set.of(S1), List.of()));

        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of()), base(S1));
        assertEquals(List.of("restored", "declare"), claim.calls);
    }

    @Test
    void switchWithoutMetersGetsItsBaseWithoutThem() {
        claim.refusals = entry -> entry instanceof Entry.Meter
            ? Optional.of("the switch has room for 0 meters of each of Sluice's features") : Optional.empty();
        program(NOTHING).update(situation(Set.of(S1), List.of()));

        final var base = base(S1);
        assertEquals(BaseEntries.ofSwitch(new Abilities(false, true), Set.of()), base);
        assertTrue(base.stream().noneMatch(entry -> entry instanceof Entry.Meter
            || entry instanceof Entry.Flow flow && flow.meter().isPresent()));
    }

    @Test
    void switchThatCannotMatchTagsGetsItsBaseWithoutThem() {
        claim.refusals = entry -> entry instanceof Entry.Flow flow && flow.match().vlan().isPresent()
            ? Optional.of("table 0 of the switch can't match [VLAN_VID]") : Optional.empty();
        program(NOTHING).update(situation(Set.of(S1), List.of()));
        assertEquals(BaseEntries.ofSwitch(new Abilities(true, false), Set.of()), base(S1));
    }

    @Test
    void hostMovesUnderOneObjectAndItsPortNoLongerTakesLabels() throws UnknownHostException {
        final var program = program(NOTHING);
        program.update(situation(Set.of(S1, S2), List.of(host(S1))));
        final long object = memory.untagged(MAC).object();
        assertEquals(Map.of(S1, BaseEntries.ofHost(host(S1))), claim.objects.get(object));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of(7L)), base(S1));

        program.update(situation(Set.of(S1, S2), List.of(host(S2))));
        assertEquals(object, memory.untagged(MAC).object());
        assertEquals(Map.of(S2, BaseEntries.ofHost(host(S2))), claim.objects.get(object));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of()), base(S1));
    }

    @Test
    void hostThatIsGoneIsWithdrawnAndForgotten() throws UnknownHostException {
        final var program = program(NOTHING);
        program.update(situation(Set.of(S1), List.of(host(S1))));
        final long object = memory.untagged(MAC).object();
        program.update(situation(Set.of(S1), List.of()));

        assertFalse(claim.objects.containsKey(object));
        assertEquals(Map.of(), memory.hosts);
    }

    @Test
    void knowsWhatItsObjectsNeedAndDeclaresAgainWhatIsLost() throws UnknownHostException {
        final var program = program(NOTHING);
        program.update(situation(Set.of(S1, S2), List.of(host(S1))));
        program.acquainted(new Acquaintance(host(S1), ASKED, THERE));
        final var moved = situation(Set.of(S1, S2), List.of(host(S2),
            new Host(THERE, Set.of(ASKED), new PortId(S1, 9))));
        program.compareWith(() -> moved);
        final var needs = claim.knowledge.needs().toCompletableFuture().join();
        final var known = memory.untagged(MAC);
        assertEquals(Map.of(S2, BaseEntries.ofHost(host(S2))), needs.entries().get(known.object()));
        assertEquals(claim.objects, needs.entries());

        final var whole = Map.copyOf(claim.objects);
        final long answer = known.acquaintances().get(ASKED).object();
        claim.objects.remove(known.object());
        claim.objects.remove(answer);
        claim.objects.put(99L, Map.of(S1, List.of()));
        claim.knowledge.declareAgain(Set.of(known.object(), answer, 99L)).toCompletableFuture().join();
        claim.objects.values().removeIf(Map::isEmpty);
        assertEquals(whole, claim.objects);
    }

    @Test
    void switchThatIsForgottenIsWithdrawnAndANewOneIfItComesBack() {
        final var program = program(NOTHING);
        program.update(situation(Set.of(S1), List.of()));
        final long object = memory.switches.get(S1).object();
        program.update(situation(Set.of(), List.of()));
        program.forget(S1);
        program.update(situation(Set.of(), List.of()));

        assertEquals(Map.of(), claim.objects);
        assertEquals(Map.of(), memory.switches);
        program.update(situation(Set.of(S1), List.of()));
        assertEquals(object + 1, memory.switches.get(S1).object());
    }

    @Test
    void aSwitchTakesTheTagsThatItsPortsListAndNoneInAFabricWithoutVlans() throws UnknownHostException {
        final var program = program(NOTHING);
        final var listed = Map.of(port(7), Set.of(10, 20));
        program.update(new Situation(Set.of(S1, S2), List.of(), Set.of(), Set.of(), Set.of(), listed));

        final var bare = BaseEntries.ofSwitch(Abilities.ALL, Set.of());
        assertEquals(Set.copyOf(with(bare, BaseEntries.ofVlans(Abilities.ALL, Map.of(7L, Set.of(10, 20))))),
            Set.copyOf(base(S1)));
        assertEquals(with(bare, BaseEntries.ofVlans(Abilities.ALL, Map.of())), base(S2));

        program.update(situation(Set.of(S1, S2), List.of()));
        assertEquals(bare, base(S1));
        assertEquals(bare, base(S2));
    }

    @Test
    void hostsOfTwoVlansAndAnUntaggedOneAreDeliveredToSideBySide() throws UnknownHostException {
        final var program = program(NOTHING);
        final var untagged = host(S1);
        final var tagged = new Host(10, MAC, untagged.addresses(), port(8));
        program.update(situation(Set.of(S1), List.of(untagged, tagged)));

        assertEquals(2, memory.hosts.size());
        memory.hosts.values().forEach(known ->
            assertEquals(Map.of(S1, BaseEntries.ofHost(known.host())), claim.objects.get(known.object())));

        program.update(situation(Set.of(S1), List.of(untagged)));
        assertEquals(Set.of(untagged.id()), memory.hosts.keySet());
    }

    @Test
    void whatIsRememberedIsDeclaredUnderItsOldNumbersBeforeTheRestIsStale() throws UnknownHostException {
        final var known = new Memory.Known(host(S1), 5, Map.of(ASKED, new Memory.Whereabouts(THERE, 8)));
        final var program = program(new Memory.Contents(Map.of(S1, new Memory.Base(3, Set.of(6L), Set.of())),
            Map.of(known.host().id(), known)));

        assertEquals(Map.of(S1, BaseEntries.ofHost(host(S1))), claim.objects.get(5L));
        assertEquals(Map.of(S1, BaseEntries.answers(host(S1), ASKED, THERE, Abilities.ALL)), claim.objects.get(8L));
        assertEquals(Map.of(S1, BaseEntries.ofSwitch(Abilities.ALL, Set.of(6L, 7L))), claim.objects.get(3L));
        assertEquals("restored", claim.calls.getLast());

        program.update(situation(Set.of(S2), List.of(host(S1))));
        assertEquals(9L, memory.switches.get(S2).object());
    }

    @Test
    void silentPortsTakeNoLabelsUntilALinkIsFoundThereAlsoAfterARestart() {
        final var program = program(NOTHING);
        program.update(situation(Set.of(S1, S2), List.of(), Set.of(port(8), port(9)), Set.of()));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of(8L, 9L)), base(S1));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of()), base(S2));

        final var again = program(new Memory.Contents(memory.switches, Map.of()));
        again.update(situation(Set.of(S1), List.of()));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of(8L, 9L)), base(S1), "what is remembered stays");

        again.update(situation(Set.of(S1), List.of(), Set.of(), Set.of(port(8))));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of(9L)), base(S1));
        assertEquals(Set.of(9L), memory.switches.get(S1).closed());
    }

    @Test
    void aPortWhereALinkWasFoundTakesLabelsUntilAHostIsSeenThere() throws UnknownHostException {
        final var found = program(NOTHING);
        found.update(situation(Set.of(S1), List.of(), Set.of(), Set.of(port(7), port(8))));
        for (var program : List.of(found, program(new Memory.Contents(memory.switches, Map.of())))) {
            program.update(situation(Set.of(S1), List.of(), Set.of(port(7), port(8)), Set.of()));
            assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of()), base(S1), "the link may still carry packets");
        }
        found.update(situation(Set.of(S1), List.of(host(S1)), Set.of(port(7), port(8)), Set.of()));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of(7L)), base(S1));
        found.update(situation(Set.of(S1), List.of(), Set.of(port(7), port(8)), Set.of()));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of(7L)), base(S1));
    }

    @Test
    void aSwitchWithoutMetersAsksBackWithoutOne() throws UnknownHostException {
        claim.refusals = entry -> entry instanceof Entry.Meter ? Optional.of("no room for meters") : Optional.empty();
        final var program = program(NOTHING);
        final var there = InetAddress.getByName("fd00::2");
        program.acquainted(new Acquaintance(host(S1), there, THERE));
        program.update(situation(Set.of(S1), List.of(host(S1),
            new Host(THERE, Set.of(there), new PortId(S2, 1)))));
        assertEquals(Map.of(S1, BaseEntries.answers(host(S1), there, THERE, new Abilities(false, true))),
            claim.objects.get(memory.untagged(MAC).acquaintances().get(there).object()));
    }

    @Test
    void aSwitchThatRefusesSomethingElseKeepsItsMeters() {
        claim.refusals = entry -> entry instanceof Entry.Flow flow && flow.match().vlan().isEmpty()
            ? Optional.of("bad parameter") : Optional.empty();
        try (var program = program(NOTHING)) {
            program.update(situation(Set.of(S1), List.of()));
            assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of()), base(S1));
        }
    }

    @Test
    void metersAreTriedAnewWhenASwitchComesBack() {
        claim.refusals = entry -> entry instanceof Entry.Meter ? Optional.of("no room for meters") : Optional.empty();
        final var program = program(NOTHING);
        program.update(situation(Set.of(S1), List.of()));
        assertEquals(BaseEntries.ofSwitch(new Abilities(false, true), Set.of()), base(S1));
        claim.refusals = entry -> Optional.empty();
        program.update(situation(Set.of(), List.of()));
        program.update(situation(Set.of(S1), List.of()));
        assertEquals(BaseEntries.ofSwitch(Abilities.ALL, Set.of()), base(S1));
    }

    @Test
    void whatASwitchCannotAnswerIsHeardAndTriedAgainWhenItIsReadyAfterItAttached() throws UnknownHostException {
        final var answers = BaseEntries.answers(host(S1), ASKED, THERE, Abilities.ALL);
        final var seen = List.of(host(S1), new Host(THERE, Set.of(ASKED), new PortId(S2, 1)));
        final var program = program(new Memory.Contents(Map.of(S1, new Memory.Base(3, Set.of(), Set.of())),
            Map.of(host(S1).id(), new Memory.Known(host(S1), 5, Map.of(ASKED, new Memory.Whereabouts(THERE, 8))))));
        assertEquals(Map.of(S1, answers), claim.objects.get(8L));

        claim.refusals = entry -> answers.contains(entry) ? Optional.of("BADACTION") : Optional.empty();
        program.update(situation(Set.of(S1), seen));
        assertEquals(Map.of(), claim.objects.get(8L));

        claim.refusals = entry -> entry instanceof Entry.Flow flow && flow.match().equals(FlowMatch.ANY)
            ? Optional.of("the switch is not attached") : Optional.empty();
        program.update(situation(Set.of(), seen));
        program.update(situation(Set.of(S1), seen));
        assertEquals(Map.of(), claim.objects.get(8L), "it is not ready");
        claim.refusals = entry -> Optional.empty();
        program.update(situation(Set.of(S1), seen, Set.of(port(9)), Set.of()));
        assertEquals(Map.of(S1, answers), claim.objects.get(8L));
    }

    private List<Entry> base(final SwitchId switchId) {
        return claim.objects.get(memory.switches.get(switchId).object()).get(switchId);
    }

    private static PortId port(final long number) {
        return new PortId(S1, number);
    }

    private static Situation situation(final Set<SwitchId> switches, final List<Host> hosts) {
        return situation(switches, hosts, Set.of(), Set.of());
    }

    private static List<Entry> with(final List<Entry> base, final List<Entry> more) {
        return Stream.concat(base.stream(), more.stream()).toList();
    }

    private static Situation situation(final Set<SwitchId> switches, final List<Host> hosts, final Set<PortId> silent,
            final Set<PortId> inner) {
        return new Situation(switches, hosts, Set.of(), silent, inner, Map.of());
    }

    private FabricProgram program(final Memory.Contents remembered) {
        return new FabricProgram(Runnable::run, owner -> claim, memory,
            new FabricProgram.Beginning(remembered, Map.of()), () -> 0, Timer.on(Runnable::run));
    }

    private static Host host(final SwitchId at) throws UnknownHostException {
        return new Host(MAC, Set.of(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1")),
            new PortId(at, 7));
    }
}
