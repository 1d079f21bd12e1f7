// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.net.InetAddresses;
import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.Host;
import io.sluice.api.Installation;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.hosts.Acquaintance;
import io.sluice.southbound.hosts.FabricAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class FabricProgramTest {
    private static final SwitchId S1 = new SwitchId("openflow:1");
    private static final SwitchId S2 = new SwitchId("openflow:2");
    private static final MacAddress MAC = MacAddress.of("0a:00:00:00:00:01");
    private static final MacAddress THERE = MacAddress.of("0a:00:00:00:00:02");
    private static final InetAddress ASKED = InetAddresses.forString("10.0.0.2");
    private static final InetAddress SERVICE = InetAddresses.forString("10.0.0.100");
    private static final Memory.Contents NOTHING = new Memory.Contents(Map.of(), Map.of());

    private final RecordingMemory memory = new RecordingMemory();
    private final RecordingClaim claim = new RecordingClaim();

    @Test
    void switchGetsItsBaseOnceWhenItAttaches() {
        final var program = program(NOTHING);
        program.update(Set.of(S1), List.of());
        program.update(Set.of(S1), List.of());

        assertEquals(Map.of(S1, BaseEntries.ofSwitch(true, Set.of())), claim.objects.get(memory.switches.get(S1)));
        assertEquals(List.of("restored", "declare"), claim.calls);
    }

    @Test
    void switchWithoutMetersGetsItsBaseWithoutThem() {
        claim.refusal = "the switch has room for 0 meters an owner, not for number 1";
        program(NOTHING).update(Set.of(S1), List.of());

        final var base = claim.objects.get(memory.switches.get(S1)).get(S1);
        assertEquals(BaseEntries.ofSwitch(false, Set.of()), base);
        assertTrue(base.stream().noneMatch(entry -> entry instanceof Entry.Meter
            || entry instanceof Entry.Flow flow && flow.meter().isPresent()));
    }

    @Test
    void hostMovesUnderOneObjectAndItsPortNoLongerTakesLabels() throws UnknownHostException {
        final var program = program(NOTHING);
        program.update(Set.of(S1, S2), List.of(host(S1)));
        final long object = memory.hosts.get(MAC).object();
        assertEquals(Map.of(S1, BaseEntries.ofHost(host(S1))), claim.objects.get(object));
        assertEquals(BaseEntries.ofSwitch(true, Set.of(7L)), claim.objects.get(memory.switches.get(S1)).get(S1));

        program.update(Set.of(S1, S2), List.of(host(S2)));
        assertEquals(object, memory.hosts.get(MAC).object());
        assertEquals(Map.of(S2, BaseEntries.ofHost(host(S2))), claim.objects.get(object));
        assertEquals(BaseEntries.ofSwitch(true, Set.of()), claim.objects.get(memory.switches.get(S1)).get(S1));
    }

    @Test
    void hostThatIsGoneIsWithdrawnAndForgotten() throws UnknownHostException {
        final var program = program(NOTHING);
        program.update(Set.of(S1), List.of(host(S1)));
        final long object = memory.hosts.get(MAC).object();
        program.update(Set.of(S1), List.of());

        assertFalse(claim.objects.containsKey(object));
        assertEquals(Map.of(), memory.hosts);
    }

    @Test
    void switchThatIsForgottenIsWithdrawnAndANewOneIfItComesBack() {
        final var program = program(NOTHING);
        program.update(Set.of(S1), List.of());
        final long object = memory.switches.get(S1);
        program.update(Set.of(), List.of());
        program.forget(S1);
        program.update(Set.of(), List.of());

        assertEquals(Map.of(), claim.objects);
        assertEquals(Map.of(), memory.switches);
        program.update(Set.of(S1), List.of());
        assertEquals(object + 1, memory.switches.get(S1));
    }

    @Test
    void whatIsRememberedIsDeclaredUnderItsOldNumbersBeforeTheRestIsStale() throws UnknownHostException {
        final var known = new Memory.Known(host(S1), 5, Map.of(ASKED, THERE));
        final var program = program(new Memory.Contents(Map.of(S1, 3L), Map.of(MAC, known)));

        assertEquals(withAnswers(S1, Map.of(ASKED, THERE)), claim.objects.get(5L));
        assertEquals(Map.of(S1, BaseEntries.ofSwitch(true, Set.of(7L))), claim.objects.get(3L));
        assertEquals("restored", claim.calls.getLast());

        program.update(Set.of(S2), List.of(host(S1)));
        assertEquals(6L, memory.switches.get(S2));
    }

    @Test
    void aHostsSwitchAnswersForWhomItKnowsWhereverTheHostIs() throws UnknownHostException {
        final var program = program(NOTHING);
        program.acquainted(new Acquaintance(host(S1), ASKED, THERE));
        final long object = memory.hosts.get(MAC).object();
        assertEquals(withAnswers(S1, Map.of(ASKED, THERE)), claim.objects.get(object));
        assertEquals(Map.of(ASKED, THERE), memory.hosts.get(MAC).acquaintances());

        program.update(Set.of(S1, S2), List.of(host(S2), new Host(THERE, Set.of(ASKED), new PortId(S1, 8))));
        assertEquals(withAnswers(S2, Map.of(ASKED, THERE)), claim.objects.get(object));
    }

    @Test
    void anAddressThatMovedOrIsGoneIsAskedForAgain() throws UnknownHostException {
        final var other = MacAddress.of("0a:00:00:00:00:03");
        for (var seen : List.of(List.of(host(S1)), List.of(host(S1),
                new Host(other, Set.of(ASKED), new PortId(S1, 8))))) {
            final var program = program(NOTHING);
            program.acquainted(new Acquaintance(host(S1), ASKED, THERE));
            program.acquainted(new Acquaintance(host(S1), SERVICE, FabricAddress.MAC));
            program.update(Set.of(S1), seen);
            assertEquals(withAnswers(S1, Map.of(SERVICE, FabricAddress.MAC)),
                claim.objects.get(memory.hosts.get(MAC).object()));
            program.close();
        }
    }

    @Test
    void aSwitchAnswersAHostForSoManyAddresses() throws UnknownHostException {
        final var program = program(NOTHING);
        for (int i = 0; i <= FabricProgram.MAX_ACQUAINTANCES; i++) {
            program.acquainted(new Acquaintance(host(S1), InetAddress.getByName("10.1." + i / 256 + "." + i % 256),
                THERE));
        }
        assertEquals(FabricProgram.MAX_ACQUAINTANCES, memory.hosts.get(MAC).acquaintances().size());
    }

    @Test
    void aSwitchThatCannotAnswerArpLeavesItToTheController() throws UnknownHostException {
        claim.arpRefusal = "Device reported error type BADACTION code BADSETTYPE";
        final var program = program(NOTHING);
        program.acquainted(new Acquaintance(host(S1), ASKED, THERE));
        assertEquals(Map.of(S1, BaseEntries.ofHost(host(S1))), claim.objects.get(memory.hosts.get(MAC).object()));

        claim.arpRefusal = null;
        program.update(Set.of(S1), List.of(host(S1)));
        program.acquainted(new Acquaintance(host(S1), InetAddress.getByName("10.0.0.77"), THERE));
        assertEquals(1 + BaseEntries.ofHost(host(S1)).size(),
            claim.objects.get(memory.hosts.get(MAC).object()).get(S1).size(), "it may do so once it has come again");
    }

    @Test
    void aFullTableDoesNotKeepASwitchFromAnsweringArp() throws UnknownHostException {
        claim.arpRefusal = "Device reported error type FLOWMODFAILED code TABLEFULL";
        program(NOTHING).acquainted(new Acquaintance(host(S1), ASKED, THERE));
        assertEquals(withAnswers(S1, Map.of(ASKED, THERE)), claim.objects.get(memory.hosts.get(MAC).object()));
    }

    private static Map<SwitchId, List<Entry>> withAnswers(final SwitchId at,
            final Map<InetAddress, MacAddress> acquaintances) throws UnknownHostException {
        final var entries = new ArrayList<>(BaseEntries.ofHost(host(at)));
        entries.addAll(BaseEntries.answers(host(at), acquaintances));
        return Map.of(at, entries);
    }

    private FabricProgram program(final Memory.Contents remembered) {
        return new FabricProgram(Runnable::run, owner -> claim, memory, remembered);
    }

    private static Host host(final SwitchId at) throws UnknownHostException {
        return new Host(MAC, Set.of(InetAddress.getByName("10.0.0.1"), InetAddress.getByName("fd00::1")),
            new PortId(at, 7));
    }

    private static final class RecordingMemory implements Memory {
        private final Map<SwitchId, Long> switches = new HashMap<>();
        private final Map<MacAddress, Known> hosts = new HashMap<>();

        @Override
        public void remember(final SwitchId switchId, final long object) {
            switches.put(switchId, object);
        }

        @Override
        public void remember(final Known host) {
            hosts.put(host.host().mac(), host);
        }

        @Override
        public void forget(final MacAddress host) {
            hosts.remove(host);
        }

        @Override
        public void forget(final SwitchId switchId) {
            switches.remove(switchId);
        }
    }

    /** Takes everything, but meters if {@code refusal} is set. */
    private static final class RecordingClaim implements Claim {
        private final Map<Long, Map<SwitchId, List<Entry>>> objects = new HashMap<>();
        private final List<String> calls = new ArrayList<>();
        private String refusal;
        private String arpRefusal;

        @Override
        public CompletionStage<Installation> declare(final long object, final Map<SwitchId, List<Entry>> entries) {
            calls.add("declare");
            objects.put(object, entries);
            if (arpRefusal != null && entries.values().stream().flatMap(List::stream).anyMatch(entry ->
                    entry instanceof Entry.Flow flow && flow.match().arp().isPresent())) {
                return CompletableFuture.completedStage(new Installation.Pending(
                    Map.of(entries.keySet().iterator().next(), "table 0, priority 3001, arp_op=1: " + arpRefusal)));
            }
            final boolean refused = refusal != null && entries.values().stream().flatMap(List::stream)
                .anyMatch(Entry.Meter.class::isInstance);
            return CompletableFuture.completedStage(refused
                ? new Installation.Pending(Map.of(entries.keySet().iterator().next(), refusal))
                : new Installation.InPlace());
        }

        @Override
        public CompletionStage<Installation> withdraw(final long object) {
            calls.add("withdraw");
            objects.remove(object);
            return CompletableFuture.completedStage(new Installation.InPlace());
        }

        @Override
        public void restored() {
            calls.add("restored");
        }

        @Override
        public CompletionStage<Map<Long, Traffic>> traffic(final SwitchId switchId, final int tableId) {
            return CompletableFuture.completedStage(Map.of());
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }
}
