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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fabric's own entries, on a switch: what becomes of a packet. */
class BaseEntriesTest {
    private static final SwitchId ID = new SwitchId("openflow:1");
    private static final long HERE = 1;
    private static final long BACKBONE = 2;
    private static final MacAddress MAC = MacAddress.of("0a:00:00:00:00:01");
    private static final MacAddress THERE = MacAddress.of("0a:00:00:00:00:02");
    private static final InetAddress GLOBAL = Addresses.ip("fd00::1");
    private static final InetAddress LOCAL = Addresses.ip("fe80::1");
    private static final InetAddress TARGET = Addresses.ip("fd00::2");
    private static final Host ASKER = new Host(MAC, Set.of(Addresses.ip("10.0.0.1"), GLOBAL, LOCAL),
        new PortId(ID, HERE));

    private final FakeSwitch node = new FakeSwitch(ID, Set.of(HERE, BACKBONE), 4);

    @Test
    void aNeighboursSolicitationComesBackAsTheOtherOnesAndGoesToTheControllerAsItIs() {
        install(BaseEntries.ofSwitch(Abilities.ALL, Set.of(HERE)));
        install(BaseEntries.answers(ASKER, TARGET, THERE, true));
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
        install(BaseEntries.answers(ASKER, TARGET, THERE, true));
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
            true));
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

    private static Packet solicitation(final InetAddress own, final MacAddress to, final InetAddress destination) {
        return Packet.of(new Question(MAC, own, TARGET), to, destination);
    }

    private void install(final List<Entry> entries) {
        entries.forEach(entry -> node.add(entry, 0));
    }
}
