// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.BaseEntries.Abilities;
import io.sluice.southbound.hosts.Acquaintance;
import io.sluice.southbound.hosts.FabricAddress;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.ManualClock;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostEntriesTest {
    private static final SwitchId S1 = new SwitchId("openflow:1");
    private static final SwitchId S2 = new SwitchId("openflow:2");
    private static final MacAddress MAC = MacAddress.of("0a:00:00:00:00:01");
    private static final MacAddress THERE = MacAddress.of("0a:00:00:00:00:02");
    private static final MacAddress OTHER = MacAddress.of("0a:00:00:00:00:03");
    private static final InetAddress ASKED4 = Addresses.ip("10.0.0.2");
    private static final InetAddress ASKED6 = Addresses.ip("fd00::2");
    private static final InetAddress SERVICE = Addresses.ip("10.0.0.100");
    private static final Duration ONE = Duration.ofNanos(1);

    private final RecordingMemory memory = new RecordingMemory();
    private final RecordingClaim claim = new RecordingClaim();
    private final ManualClock clock = new ManualClock();
    private long nextObject;
    private final HostEntries entries =
        new HostEntries(Runnable::run, claim, memory, () -> nextObject++, id -> Abilities.ALL, clock);

    @Test
    void aHostsSwitchAnswersForWhomItKnowsWhereverTheHostIs() {
        for (var asked : List.of(ASKED4, ASKED6)) {
            entries.acquainted(new Acquaintance(host(S1), asked, THERE));
            assertEquals(Map.of(S1, BaseEntries.answers(host(S1), asked, THERE, Abilities.ALL)), answer(asked));
        }
        final long delivery = memory.untagged(MAC).object();
        final var before = memory.untagged(MAC).acquaintances();
        entries.update(List.of(host(S2), there()), Set.of());

        assertEquals(Map.of(S2, BaseEntries.ofHost(host(S2))), claim.objects.get(delivery));
        for (var asked : List.of(ASKED4, ASKED6)) {
            assertEquals(Map.of(S2, BaseEntries.answers(host(S2), asked, THERE, Abilities.ALL)), answer(asked));
        }
        assertEquals(before, memory.untagged(MAC).acquaintances());
    }

    @Test
    void anAddressThatMovedOrIsGoneIsAskedForAgain() {
        for (var seen : List.of(List.of(host(S1)),
                List.of(host(S1), new Host(OTHER, Set.of(ASKED4), new PortId(S1, 8))),
                List.of(host(S1), new Host(THERE, Set.of(ASKED4), host(S1).attachment())))) {
            entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
            entries.acquainted(new Acquaintance(host(S1), SERVICE, FabricAddress.MAC));
            final long object = object(ASKED4);
            entries.update(seen, Set.of(SERVICE));
            assertFalse(claim.objects.containsKey(object));
            assertEquals(Set.of(SERVICE), memory.untagged(MAC).acquaintances().keySet());
        }
    }

    @Test
    void anAddressElsewhereIsAnsweredFromThereUnderTheSameObject() {
        entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
        final long object = object(ASKED4);
        entries.acquainted(new Acquaintance(host(S1), ASKED4, OTHER));
        assertEquals(object, object(ASKED4));
        assertEquals(Map.of(S1, BaseEntries.answers(host(S1), ASKED4, OTHER, Abilities.ALL)), answer(ASKED4));
    }

    @Test
    void aHostThatIsForgottenTakesItsAnswersWithIt() {
        entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
        entries.update(List.of(there()), Set.of());
        assertEquals(Set.of(memory.untagged(THERE).object()), claim.objects.keySet());
        assertEquals(Set.of(new Host.Id(FlowMatch.UNTAGGED, THERE)), memory.hosts.keySet());
    }

    @Test
    void anAddressOfAServiceIsAnsweredUntilTheServiceIsGoneForAWhile() {
        entries.acquainted(new Acquaintance(host(S1), SERVICE, FabricAddress.MAC));
        final var before = answer(SERVICE);
        entries.update(List.of(host(S1)), Set.of(SERVICE));
        for (int i = 0; i < 3; i++) {
            entries.update(List.of(host(S1)), Set.of());
            clock.advance(Duration.ofNanos(HostEntries.OWNERLESS_NS).minus(ONE));
            entries.update(List.of(host(S1)), Set.of());
            assertEquals(before, answer(SERVICE), "its application may have started again");
            entries.update(List.of(host(S1)), Set.of(SERVICE));
        }
        final long object = object(SERVICE);
        entries.update(List.of(host(S1)), Set.of());
        clock.advance(Duration.ofNanos(HostEntries.OWNERLESS_NS));
        entries.update(List.of(host(S1)), Set.of());
        assertFalse(claim.objects.containsKey(object));
        assertEquals(Map.of(), memory.untagged(MAC).acquaintances());
    }

    @Test
    void anAnswerThatIsNotUsedIsWithdrawnAndOneThatIsUsedStays() {
        entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
        entries.acquainted(new Acquaintance(host(S1), ASKED6, THERE));
        final long idle = object(ASKED4);
        claim.carried.put(idle, new Traffic(5, 500));
        for (int questions = 0; questions < 2; questions++) {
            claim.carried.put(object(ASKED6), new Traffic(questions, 86L * questions));
            entries.review(Set.of(S1));
            assertTrue(claim.objects.containsKey(idle));
            clock.advance(Duration.ofNanos(HostEntries.IDLE_NS / 2));
        }
        entries.review(Set.of(S2));
        assertTrue(claim.objects.containsKey(idle), "its switch has not been asked");
        entries.review(Set.of(S1));
        assertFalse(claim.objects.containsKey(idle));
        assertEquals(Set.of(ASKED6), memory.untagged(MAC).acquaintances().keySet());
        clock.advance(Duration.ofNanos(HostEntries.IDLE_NS));
        entries.review(Set.of(S1));
        assertEquals(Map.of(), memory.untagged(MAC).acquaintances());
    }

    @Test
    void aSwitchAnswersAHostWithSoManyEntriesOneForEachOfItsAddresses() {
        fill(host(S1), HostEntries.MAX_OF_HOST - 1);
        entries.acquainted(new Acquaintance(host(S1), ASKED6, THERE));
        assertEquals(HostEntries.MAX_OF_HOST - 1, memory.untagged(MAC).acquaintances().size(),
            "there is no room for two entries, one for each of its IPv6 addresses");
        entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
        assertEquals(HostEntries.MAX_OF_HOST, memory.untagged(MAC).acquaintances().size());
        entries.acquainted(new Acquaintance(host(S1), Addresses.ip("10.0.0.3"), THERE));
        assertEquals(HostEntries.MAX_OF_HOST, memory.untagged(MAC).acquaintances().size());
    }

    @Test
    void aHostThatGetsAnotherAddressKeepsTheAnswersThatItHasHadForLongest() {
        fill(host(S1), HostEntries.MAX_OF_HOST);
        final var oldest = memory.untagged(MAC).acquaintances().entrySet().stream()
            .sorted(Comparator.comparingLong(entry -> entry.getValue().object()))
            .limit(HostEntries.MAX_OF_HOST / 2).map(Map.Entry::getKey).collect(Collectors.toSet());
        final var two = new Host(MAC, Set.of(Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.9")), new PortId(S1, 7));
        entries.update(List.of(two, far()), Set.of());
        assertEquals(oldest, memory.untagged(MAC).acquaintances().keySet());
        assertEquals(HostEntries.MAX_OF_HOST, questions());
    }

    @Test
    void aHostThatMovesToAFullSwitchLeavesItsAnswersBehind() {
        final var full = hosts(HostEntries.MAX_OF_SWITCH / HostEntries.MAX_OF_HOST);
        full.forEach(host -> fill(host, HostEntries.MAX_OF_HOST));
        entries.acquainted(new Acquaintance(host(S2), ASKED4, THERE));
        entries.update(Stream.concat(full.stream(), Stream.of(host(S1), far())).toList(), Set.of());
        assertEquals(Map.of(), memory.untagged(MAC).acquaintances());
        assertEquals(HostEntries.MAX_OF_SWITCH, questions());
    }

    @Test
    void aSwitchAnswersAllItsHostsForSoManyAddressesAndThenAgainOnceOneIsGone() {
        hosts(HostEntries.MAX_OF_SWITCH / HostEntries.MAX_OF_HOST).forEach(host -> fill(host, HostEntries.MAX_OF_HOST));
        entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
        assertEquals(Map.of(), memory.untagged(MAC).acquaintances());
        entries.acquainted(new Acquaintance(host(S2), ASKED4, THERE));
        assertEquals(Set.of(ASKED4), memory.untagged(MAC).acquaintances().keySet());

        entries.update(List.of(host(S1)), Set.of());
        entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
        assertEquals(Set.of(ASKED4), memory.untagged(MAC).acquaintances().keySet());
    }

    @Test
    void aSwitchThatCannotAnswerAKindOfQuestionLeavesItToTheControllerUntilItComesAgain() {
        for (var asked : List.of(ASKED4, ASKED6)) {
            refuse(asked, "Device reported error type BADACTION code BADSETTYPE");
            entries.acquainted(new Acquaintance(host(S1), asked, THERE));
            assertEquals(Map.of(), answer(asked));
        }
        refuse(null, "");
        final var more = Addresses.ip("fd00::77");
        entries.acquainted(new Acquaintance(host(S1), more, THERE));
        assertEquals(Map.of(), answer(more));
        entries.arrived(S2);
        assertEquals(Map.of(), answer(more));
        entries.arrived(S1);
        for (var asked : List.of(ASKED4, ASKED6, more)) {
            assertEquals(Map.of(S1, BaseEntries.answers(host(S1), asked, THERE, Abilities.ALL)), answer(asked));
        }
    }

    @Test
    void aFullTableDoesNotKeepASwitchFromAnswering() {
        refuse(ASKED4, "Device reported error type FLOWMODFAILED code TABLEFULL");
        entries.acquainted(new Acquaintance(host(S1), ASKED4, THERE));
        assertEquals(Map.of(S1, BaseEntries.answers(host(S1), ASKED4, THERE, Abilities.ALL)), answer(ASKED4));
    }

    private void refuse(final InetAddress target, final String reason) {
        claim.refusals = entry -> entry instanceof Entry.Flow flow && flow.match().question().stream()
            .anyMatch(question -> question.target().equals(target)) ? Optional.of(reason) : Optional.empty();
    }

    private void fill(final Host host, final int addresses) {
        IntStream.range(0, addresses).forEach(i -> entries.acquainted(new Acquaintance(host, address(i), THERE)));
    }

    /** Who has the addresses that {@link #fill} asks for. */
    private static Host far() {
        return new Host(THERE, Stream.concat(Stream.of(ASKED4),
            IntStream.range(0, HostEntries.MAX_OF_HOST).mapToObj(HostEntriesTest::address))
            .collect(Collectors.toSet()), new PortId(S2, 9));
    }

    private static InetAddress address(final int number) {
        return Addresses.ip("10.1." + number / 256 + "." + number % 256);
    }

    private static List<Host> hosts(final int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> new Host(new MacAddress(0x0a00_0000_0100L + i),
            Set.of(Addresses.ip("10.2.0." + i)), new PortId(S1, i))).toList();
    }

    /** How many entries at the first switch answer questions. */
    private long questions() {
        return claim.objects.values().stream().flatMap(held -> held.getOrDefault(S1, List.of()).stream())
            .filter(entry -> entry instanceof Entry.Flow flow && flow.match().question().isPresent()).count();
    }

    private long object(final InetAddress asked) {
        return memory.untagged(MAC).acquaintances().get(asked).object();
    }

    private Map<SwitchId, List<Entry>> answer(final InetAddress asked) {
        return claim.objects.get(object(asked));
    }

    private static Host host(final SwitchId at) {
        return new Host(MAC, Set.of(Addresses.ip("10.0.0.1"), Addresses.ip("fd00::1"), Addresses.ip("fe80::1")),
            new PortId(at, 7));
    }

    private static Host there() {
        return new Host(THERE, Set.of(ASKED4, ASKED6), new PortId(S1, 8));
    }
}
