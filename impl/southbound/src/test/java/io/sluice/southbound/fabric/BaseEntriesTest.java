// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Action;
import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Fragment;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PathLabel;
import io.sluice.api.Pipeline;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.BaseEntries.Abilities;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.Outcome;
import io.sluice.testlib.Outcome.Sent;
import io.sluice.testlib.Packet;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fabric's own entries, on a switch: what becomes of a packet. */
class BaseEntriesTest {
    private static final SwitchId ID = new SwitchId("openflow:1");
    private static final long HERE = 1;
    private static final long BACKBONE = 2;
    private static final long BESIDE = 3;
    private static final MacAddress MAC = MacAddress.of("0a:00:00:00:00:01");
    private static final MacAddress THERE = MacAddress.of("0a:00:00:00:00:02");
    private static final InetAddress GLOBAL = Addresses.ip("fd00::1");
    private static final InetAddress LOCAL = Addresses.ip("fe80::1");
    private static final InetAddress TARGET = Addresses.ip("fd00::2");
    private static final Connection CONNECTION = new Connection(6, GLOBAL, TARGET, 1, 2);
    private static final Host ASKER = new Host(MAC, Set.of(Addresses.ip("10.0.0.1"), GLOBAL, LOCAL),
        new PortId(ID, HERE));

    private final FakeSwitch node = new FakeSwitch(ID, Set.of(HERE, BACKBONE, BESIDE), 4);

    @Test
    void aNeighboursSolicitationComesBackAsTheOtherOnesAndGoesToTheControllerAsItIs() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        install(BaseEntries.answers(ASKER, TARGET, THERE, Abilities.ALL));
        for (var own : List.of(GLOBAL, LOCAL)) {
            for (var probe : List.of(solicitation(own, THERE, TARGET),
                    solicitation(own, MacAddress.of("33:33:ff:00:00:02"), Addresses.ip("ff02::1:ff00:2")))) {
                assertEquals(new Outcome(List.of(new Sent(HERE, Packet.of(new Question(THERE, TARGET, own), MAC, own))),
                    List.of(probe), List.of()), node.process(HERE, probe));
            }
        }
    }

    @Test
    void whatIsNotThatHostsQuestionGoesToTheControllerAlone() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        install(BaseEntries.answers(ASKER, TARGET, THERE, Abilities.ALL));
        final var moved = solicitation(GLOBAL, THERE, TARGET);
        assertEquals(List.of(), node.process(BACKBONE, moved).sent());
        assertEquals(List.of(moved), node.process(BACKBONE, moved).toController());
        for (var question : List.of(new Question(THERE, GLOBAL, TARGET), new Question(MAC, TARGET, TARGET),
                new Question(MAC, GLOBAL, Addresses.ip("fd00::3")))) {
            final var other = Packet.of(question, THERE, question.target());
            assertEquals(new Outcome(List.of(), List.of(other), List.of()), node.process(HERE, other));
        }
    }

    /** It may have taken an address just now that it had asked for before; what it announces is no question. */
    @Test
    void noHostIsAnsweredForAnAddressOfItsOwn() {
        assertEquals(List.of(), BaseEntries.answers(new Host(MAC, Set.of(GLOBAL), ASKER.attachment()), GLOBAL, THERE,
            Abilities.ALL));
    }

    @Test
    void aPortThatLeadsToNoSwitchTakesNoLabels() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        final var label = new PathLabel(9).mac();
        node.add(new Entry.Flow(Pipeline.STEER, Pipeline.PRIORITY_CONNECTION, FlowMatch.builder()
            .ethernetDestination(FlowMatch.MaskedMac.exact(label)).build(),
            List.of(new Action.OutputToIngress())), 0);
        final var packet = Packet.of(MAC, label, new Connection(6, GLOBAL, TARGET, 1, 2));
        assertEquals(List.of(), node.process(HERE, packet).sent());
        assertEquals(List.of(new Sent(BACKBONE, packet)), node.process(BACKBONE, packet).sent());
    }

    @ParameterizedTest
    @CsvSource({"6, 10.0.0.1, 10.0.0.2", "17, 10.0.0.1, 10.0.0.2", "6, fd00::1, fd00::2", "17, fd00::1, fd00::2"})
    void aFloodOfFragmentsKeepsNoFirstPacketAway(final int protocol, final String from, final String to) {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        final var whole = Packet.of(MAC, THERE, new Connection(protocol, Addresses.ip(from), Addresses.ip(to), 1, 2));
        final int flood = 10_000;
        long passed = 0;
        for (int i = 0; i < flood; i++) {
            passed += node.process(HERE, whole.cut(new Fragment(i, i % 3 == 0))).toController().size();
        }
        assertEquals(4000, passed);
        assertEquals(List.of(whole), node.process(HERE, whole).toController());
    }

    @Test
    void fragmentsToAGroupAreDropped() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        final var packet = Packet.of(MAC, MacAddress.of("01:00:5e:00:00:05"), new Connection(17,
            Addresses.ip("10.0.0.1"), Addresses.ip("239.0.0.5"), 1, 2)).cut(new Fragment(7, true));
        assertEquals(List.of(), node.process(HERE, packet).toController());
    }

    @ParameterizedTest
    @CsvSource({"10, true", "20, false"})
    void aTaggedPacketPassesWhereItsVlanIsListed(final int vlan, final boolean listed) {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        install(BaseEntries.ofVlans(Abilities.ALL, Map.of(HERE, Set.of(10))));
        untaggedEntries();
        final var packet = Packet.of(MAC, THERE, CONNECTION).in(vlan);
        for (var each : List.of(packet, packet.cut(new Fragment(1, true)), packet.cut(new Fragment(1, false)))) {
            assertEquals(listed ? List.of(each) : List.of(), node.process(HERE, each).toController());
        }
        assertEquals(List.of(), node.process(HERE, packet).sent());
        assertEquals(1, node.process(HERE, packet.in(FlowMatch.UNTAGGED)).sent().size());
    }

    @Test
    void noEntryOfAnUntaggedHostTakesATaggedPacketAndTheOtherWayRound() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        install(BaseEntries.ofVlans(Abilities.ALL, Map.of(HERE, Set.of(10, 20), BESIDE, Set.of(10, 20))));
        install(BaseEntries.ofHost(new Host(MAC, Set.of(TARGET), new PortId(ID, HERE))));
        install(BaseEntries.ofHost(new Host(10, THERE, Set.of(TARGET), new PortId(ID, BESIDE))));
        final var label = new PathLabel(9).mac();
        node.add(new Entry.Flow(Pipeline.STEER, Pipeline.PRIORITY_CONNECTION, FlowMatch.builder()
            .ethernetDestination(FlowMatch.MaskedMac.exact(label)).build(), List.of()).goingOnTo(Pipeline.DELIVER), 0);
        final var packet = Packet.of(MAC, label, CONNECTION);

        assertEquals(List.of(new Sent(HERE, Packet.of(MAC, MAC, CONNECTION))), node.process(BACKBONE, packet).sent());
        assertEquals(List.of(new Sent(BESIDE, Packet.of(MAC, THERE, CONNECTION).in(10))),
            node.process(BACKBONE, packet.in(10)).sent());
        assertEquals(List.of(), node.process(BACKBONE, packet.in(20)).sent());
        assertEquals(List.of(), node.process(BACKBONE, packet.in(20)).toController());
    }

    @Test
    void eachVlanHasAnAnswerOfItsOwn() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        install(BaseEntries.ofVlans(Abilities.ALL, Map.of(HERE, Set.of(10, 20))));
        final var other = MacAddress.of("0a:00:00:00:00:03");
        install(BaseEntries.answers(ASKER, TARGET, THERE, Abilities.ALL));
        install(BaseEntries.answers(new Host(10, MAC, ASKER.addresses(), ASKER.attachment()), TARGET, other,
            Abilities.ALL));
        final var question = solicitation(GLOBAL, THERE, TARGET);

        assertEquals(THERE, node.process(HERE, question).sent().getFirst().packet().ethernetSource());
        final var answer = node.process(HERE, question.in(10)).sent().getFirst().packet();
        assertEquals(other, answer.ethernetSource());
        assertEquals(10, answer.vlan());
        final var elsewhere = question.in(20);
        assertEquals(new Outcome(List.of(), List.of(elsewhere), List.of()), node.process(HERE, elsewhere));
    }

    @Test
    void groupsAndLabelsFromHostsAreDroppedInAVlanToo() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        install(BaseEntries.ofVlans(Abilities.ALL, Map.of(HERE, Set.of(10))));
        for (var to : List.of(new PathLabel(9).mac(), MacAddress.of("01:00:5e:00:00:05"))) {
            final var outcome = node.process(HERE, Packet.of(MAC, to, CONNECTION).in(10));
            assertEquals(List.of(), outcome.sent());
            assertEquals(List.of(), outcome.toController());
        }
    }

    @Test
    void aSwitchThatMatchesNoTagsGetsNoEntryOfAVlan() {
        final var blind = new Abilities(true, false);
        assertEquals(List.of(), BaseEntries.ofVlans(blind, Map.of(HERE, Set.of(10))));
        assertEquals(List.of(), BaseEntries.answers(new Host(10, MAC, ASKER.addresses(), ASKER.attachment()), TARGET,
            THERE, blind));
    }

    /** An untagged connection's entry, and its host. */
    private void untaggedEntries() {
        node.add(new Entry.Flow(Pipeline.CLASSIFY, Pipeline.PRIORITY_CONNECTION, CONNECTION.match(), List.of())
            .goingOnTo(Pipeline.DELIVER), 0);
        install(BaseEntries.ofHost(new Host(THERE, Set.of(TARGET), new PortId(ID, BACKBONE))));
    }

    private static Packet solicitation(final InetAddress own, final MacAddress to, final InetAddress destination) {
        return Packet.of(new Question(MAC, own, TARGET), to, destination);
    }

    private void install(final List<Entry> entries) {
        entries.forEach(entry -> node.add(entry, 0));
    }
}
