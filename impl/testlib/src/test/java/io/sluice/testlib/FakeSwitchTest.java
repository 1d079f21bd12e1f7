// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import static io.sluice.testlib.Addresses.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Connection;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Flow;
import io.sluice.api.Entry.Meter;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.api.FlowMatch;
import io.sluice.api.Fragment;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Outcome.Drop;
import io.sluice.testlib.Outcome.Sent;
import io.sluice.testlib.Reply.Done;
import io.sluice.testlib.Reply.Reason;
import io.sluice.testlib.Reply.Refused;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FakeSwitchTest {
    private static final MacAddress ONE = new MacAddress(1);
    private static final MacAddress TWO = new MacAddress(2);
    private static final long COOKIE = 7;

    private final Connection connection =
        new Connection(FlowMatch.PROTOCOL_TCP, ip("10.0.0.1"), ip("10.0.0.2"), 40000, 80);
    private final Packet packet = Packet.of(ONE, TWO, connection);
    private final FakeSwitch target = new FakeSwitch(new SwitchId("openflow:1"), Set.of(1L, 2L, 3L), 3);

    @Test
    void packetThatNothingTakesIsDropped() {
        assertEquals(List.of(Drop.TABLE_MISS), target.process(1, packet).drops());
    }

    @Test
    void refusesWhatItCannotDo() {
        final var poor = new FakeSwitch(new SwitchId("openflow:2"), Set.of(1L), 3, EnumSet.allOf(Ability.class));
        final var label = FlowMatch.builder().ethernetDestination(PathLabel.ANY).build();

        assertEquals(new Refused(Reason.BAD_TYPE), poor.add(new FailoverGroup(1, List.of()), 0));
        assertEquals(new Refused(Reason.OUT_OF_METERS), poor.add(new Meter(1, MeterUnit.PACKETS, 1, 1), 0));
        assertEquals(new Refused(Reason.BAD_DL_ADDR_MASK), poor.add(flow(0, 1, label), COOKIE));
        assertEquals(new Refused(Reason.BAD_SET_TYPE),
            poor.add(flow(0, 1, FlowMatch.ANY, new Action.SetEthernetDestination(ONE)), COOKIE));
        assertEquals(new Refused(Reason.BAD_SET_TYPE),
            poor.add(flow(0, 1, connection.match(), new Action.SetIpSource(ip("10.0.0.9"))), COOKIE));
    }

    @Test
    void withoutWatchedPortsTheFirstBucketTakesEverything() {
        final var blind = new FakeSwitch(new SwitchId("openflow:2"), Set.of(1L, 2L, 3L), 3,
            Set.of(Ability.WATCHED_PORTS));
        blind.add(new FailoverGroup(1, List.of(new Bucket(2, List.of(new Action.Output(2))),
            new Bucket(3, List.of(new Action.Output(3))))), 0);
        blind.add(flow(0, 1, FlowMatch.ANY, new Action.ToGroup(1)), COOKIE);
        blind.setPort(2, false);

        assertEquals(List.of(Drop.OUTPUT_DOWN), blind.process(1, packet).drops());
    }

    @Test
    void highestPriorityWins() {
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(2)));
        add(flow(0, 2, connection.match(), new Action.Output(3)));

        assertEquals(List.of(new Sent(3, packet)), target.process(1, packet).sent());
        final var reply = Packet.of(TWO, ONE, connection.reversed());
        assertEquals(List.of(new Sent(2, reply)), target.process(1, reply).sent());
    }

    @Test
    void tieBetweenTwoEntriesIsAnError() {
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(2)));
        add(flow(0, 1, connection.match(), new Action.Output(3)));

        assertThrows(IllegalStateException.class, () -> target.process(1, packet));
    }

    @Test
    void laterTableSeesWhatActionsSet() {
        final var server = ip("10.0.0.9");
        add(flow(0, 1, connection.match(), new Action.SetIpDestination(server)).goingOnTo(2));
        add(flow(2, 1, FlowMatch.builder().destination(MaskedIp.host(server)).build(), new Action.Output(2)));

        final var rewritten = new Connection(connection.protocol(), connection.source(), server, 40000, 80);
        assertEquals(List.of(new Sent(2, Packet.of(ONE, TWO, rewritten))), target.process(1, packet).sent());
    }

    @Test
    void aMarkTravelsWithThePacket() {
        add(flow(0, 1, connection.match(), new Action.SetCodePoint(3), new Action.Output(2)));

        assertEquals(List.of(3), target.process(1, packet).sent().stream()
            .map(sent -> sent.packet().codePoint()).toList());
    }

    @Test
    void copySentBeforeFieldIsSetKeepsTheOldField() {
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(2), new Action.SetEthernetDestination(ONE),
            new Action.Output(3)));

        assertEquals(List.of(new Sent(2, packet), new Sent(3, Packet.of(ONE, ONE, connection))),
            target.process(1, packet).sent());
    }

    @Test
    void outputToPortOfArrivalDropsButInPortSends() {
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(1)));
        assertEquals(List.of(Drop.OUTPUT_IS_INGRESS), target.process(1, packet).drops());

        add(flow(0, 1, FlowMatch.ANY, new Action.OutputToIngress()));
        assertEquals(List.of(new Sent(1, packet)), target.process(1, packet).sent());
    }

    @Test
    void downPortsNeitherTakeNorGive() {
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(2)));
        target.setPort(2, false);

        assertEquals(List.of(Drop.OUTPUT_DOWN), target.process(1, packet).drops());
        assertEquals(List.of(Drop.ARRIVED_AT_DOWN_PORT), target.process(2, packet).drops());
    }

    @Test
    void entryWithoutOutputDrops() {
        add(flow(0, 1, FlowMatch.ANY));

        assertEquals(List.of(Drop.NO_OUTPUT), target.process(1, packet).drops());
    }

    @Test
    void controllerGetsPacket() {
        add(flow(0, 0, FlowMatch.ANY, new Action.OutputToController()));

        assertEquals(List.of(packet), target.process(1, packet).toController());
    }

    @Test
    void groupUsesFirstBucketWhosePortIsUp() {
        add(new FailoverGroup(5, List.of(new Bucket(2, List.of(new Action.Output(2))),
            new Bucket(1, List.of(new Action.SetEthernetDestination(ONE), new Action.OutputToIngress())))));
        add(flow(0, 1, FlowMatch.ANY, new Action.ToGroup(5)));

        assertEquals(List.of(new Sent(2, packet)), target.process(1, packet).sent());
        target.setPort(2, false);
        assertEquals(List.of(new Sent(1, Packet.of(ONE, ONE, connection))), target.process(1, packet).sent());
        target.setPort(1, false);
        assertEquals(List.of(Drop.NO_LIVE_BUCKET), target.process(3, packet).drops());
    }

    @Test
    void metersPassTheirBurstUntilTheyAreFilledAgain() {
        add(new Meter(1, MeterUnit.PACKETS, 10, 2));
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(2)).meteredBy(1));

        assertEquals(List.of(new Sent(2, packet)), target.process(1, packet).sent());
        assertEquals(List.of(new Sent(2, packet)), target.process(1, packet).sent());
        assertEquals(List.of(Drop.METERED), target.process(1, packet).drops());
        target.refillMeters();
        assertEquals(List.of(new Sent(2, packet)), target.process(1, packet).sent());
        assertEquals(List.of(new Sent(2, packet)), target.process(1, packet).sent());
        target.elapse(Duration.ofMillis(99));
        assertEquals(List.of(Drop.METERED), target.process(1, packet).drops());
        target.elapse(Duration.ofMillis(1));
        assertEquals(List.of(new Sent(2, packet)), target.process(1, packet).sent());
        target.lose(Ability.DROPPING_METERS);
        for (int i = 0; i < 3; i++) {
            assertEquals(List.of(new Sent(2, packet)), target.process(1, packet).sent());
        }
    }

    @Test
    void aMeterCountsWhatItDropsAndBeginsAnewWhenItIsChanged() {
        final var meter = new Meter(1, MeterUnit.PACKETS, 10, 2);
        add(meter);
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(2)).meteredBy(1));
        for (int i = 0; i < 5; i++) {
            target.process(1, packet);
        }
        assertEquals(new Metered(1, new Traffic(5, 5 * Packet.LENGTH_BYTES),
            new Traffic(3, 3 * Packet.LENGTH_BYTES)),
            target.metered(meter));
        assertEquals(new Traffic(2, 2 * Packet.LENGTH_BYTES), target.metered(meter).passed());

        assertEquals(new Done(), target.modify(new Meter(1, MeterUnit.PACKETS, 20, 2)));
        assertEquals(new Metered(1, Traffic.NONE, Traffic.NONE), target.metered(meter));
    }

    @Test
    void arpRequestBecomesTheAnswer() {
        final var asked = new Question(ONE, ip("10.0.0.1"), ip("10.0.0.2"));
        final var answer = new Action.AnswerArp(TWO, ip("10.0.0.2"), ONE, ip("10.0.0.1"));
        add(flow(0, 1, FlowMatch.builder().question(asked).build(), answer, new Action.OutputToIngress()));

        final var sent = target.process(1, Packet.of(asked)).sent();
        assertEquals(List.of(Optional.of(answer)), sent.stream().map(Sent::packet).map(Packet::answer).toList());
    }

    @Test
    void whatIsMissingIsRefusedAndNothingChanges() {
        refuse(Reason.BAD_OUT_GROUP, flow(0, 1, FlowMatch.ANY, new Action.ToGroup(5)));
        refuse(Reason.BAD_OUT_PORT, flow(0, 1, FlowMatch.ANY, new Action.Output(9)));
        refuse(Reason.UNKNOWN_METER, flow(0, 1, FlowMatch.ANY).meteredBy(1));
        refuse(Reason.BAD_TABLE_ID, flow(3, 1, FlowMatch.ANY));
        refuse(Reason.BAD_TABLE_ID, flow(0, 1, FlowMatch.ANY).goingOnTo(3));
        refuse(Reason.MATCH_INCONSISTENT, flow(0, 1, FlowMatch.ANY, new Action.SetIpSource(ip("10.0.0.1"))));
        refuse(Reason.MATCH_INCONSISTENT, flow(0, 1, connection.match(), new Action.SetIpDestination(ip("fd00::1"))));
        refuse(Reason.MATCH_INCONSISTENT, flow(0, 1, FlowMatch.ANY, new Action.SetCodePoint(1)));
        refuse(Reason.BAD_WATCH, new FailoverGroup(5, List.of(new Bucket(9, List.of()))));
        refuse(Reason.BAD_OUT_PORT, new FailoverGroup(5, List.of(new Bucket(1, List.of(new Action.Output(9))))));
        refuse(Reason.CHAINING_UNSUPPORTED,
            new FailoverGroup(5, List.of(new Bucket(1, List.of(new Action.ToGroup(5))))));

        assertEquals(List.of(), target.entries());
        assertEquals(0, target.changes());
    }

    @Test
    void groupsAndMetersAreAddedOnceThenModified() {
        final var group = new FailoverGroup(5, List.of(new Bucket(2, List.of(new Action.Output(2)))));
        final var other = new FailoverGroup(5, List.of(new Bucket(3, List.of(new Action.Output(3)))));
        final var meter = new Meter(1, MeterUnit.KILOBITS, 10, 1);
        assertEquals(new Refused(Reason.UNKNOWN_GROUP), target.modify(group));
        assertEquals(new Refused(Reason.UNKNOWN_METER), target.modify(meter));
        add(group);
        add(meter);
        refuse(Reason.GROUP_EXISTS, other);
        refuse(Reason.METER_EXISTS, meter);

        assertEquals(new Done(), target.modify(other));
        assertEquals(Optional.of(new Installed(other, 0)), target.inPlaceOf(group));
    }

    @Test
    void removedGroupOrMeterTakesItsFlowsAlong() {
        final var group = new FailoverGroup(5, List.of());
        final var meter = new Meter(1, MeterUnit.PACKETS, 10, 1);
        add(group);
        add(meter);
        add(flow(0, 1, FlowMatch.ANY, new Action.ToGroup(5)));
        add(flow(0, 2, FlowMatch.ANY).meteredBy(1));
        add(flow(0, 3, FlowMatch.ANY));

        target.remove(group);
        target.remove(meter);

        assertEquals(List.of(new Installed(flow(0, 3, FlowMatch.ANY), COOKIE)), target.entries());
    }

    @Test
    void flowsAndMetersCountAndAReplacedFlowGoesOnCounting() {
        add(new Meter(1, MeterUnit.KILOBITS, 1, 1));
        final var first = flow(0, 1, FlowMatch.ANY, new Action.Output(2)).meteredBy(1);
        add(first);
        target.process(1, packet);
        add(flow(0, 1, FlowMatch.ANY, new Action.Output(3)));
        target.process(1, packet);

        assertEquals(new Traffic(2, 2 * Packet.LENGTH_BYTES), target.traffic(first));
        assertEquals(1, target.traffic(new Meter(1, MeterUnit.KILOBITS, 1, 1)).packets());
        target.remove(first);
        assertEquals(0, target.traffic(first).packets());
    }

    @Test
    void matchLooksAtMasksProtocolsAndPortOfArrival() {
        fits(true, FlowMatch.builder().inPort(1).build());
        fits(false, FlowMatch.builder().inPort(2).build());
        fits(false, FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_IPV6).build());
        fits(true, FlowMatch.builder().ethernetDestination(
            new FlowMatch.MaskedMac(new MacAddress(0), new MacAddress(0xff00_0000_0000L))).build());
        fits(false, FlowMatch.builder().ethernetDestination(FlowMatch.MaskedMac.exact(ONE)).build());
        fits(true, FlowMatch.builder().source(MaskedIp.prefix(ip("10.0.0.0"), 30)).build());
        fits(false, FlowMatch.builder().source(MaskedIp.prefix(ip("10.0.0.2"), 31)).build());
        fits(false, FlowMatch.builder().destination(MaskedIp.host(ip("fd00::2"))).build());
        final var tcp = FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_IPV4).ipProtocol(FlowMatch.PROTOCOL_TCP);
        fits(true, tcp.l4Source(40000).build());
        fits(false, tcp.l4Source(40001).build());
        fits(false, tcp.l4Source(40000).l4Destination(81).build());
        final var arp = new Packet(ONE, MacAddress.BROADCAST, FlowMatch.ETHERNET_ARP, Optional.empty());
        assertEquals(false, arp.fits(connection.match(), 1));
    }

    @Test
    void aMatchThatNamesNoVlanTakesEveryTag() {
        for (int tag : new int[] { FlowMatch.UNTAGGED, 10, 20 }) {
            assertTrue(packet.in(tag).fits(connection.match(), 1));
            assertEquals(tag == 10, packet.in(tag).fits(connection.in(10).match(), 1));
            assertEquals(tag != FlowMatch.UNTAGGED,
                packet.in(tag).fits(FlowMatch.builder().vlan(FlowMatch.TAGGED).build(), 1));
            assertEquals(tag == FlowMatch.UNTAGGED,
                packet.in(tag).fits(FlowMatch.builder().vlan(FlowMatch.UNTAGGED).build(), 1));
        }
    }

    /** As in ovs-ofctl(8), set-frags; ovs-ofctl parse-pcap shows the same. */
    @Test
    void entriesSeeThePortsOfNoFragmentAndTheProtocolOfAllButLaterIpv6Ones() {
        final var portless = new Connection(connection.protocol(), connection.source(), connection.destination(), 0, 0);
        for (boolean first : new boolean[] { true, false }) {
            final var fragment = packet.cut(new Fragment(7, first));
            assertFalse(fragment.fits(connection.match(), 1));
            assertTrue(fragment.fits(portless.match(), 1));
        }
        final var udp = new Connection(FlowMatch.PROTOCOL_UDP, ip("fd00::1"), ip("fd00::2"), 0, 0);
        final var hidden = new Connection(FlowMatch.PROTOCOL_IPV6_FRAGMENT, udp.source(), udp.destination(), 0, 0);
        final var first = Packet.of(ONE, TWO, udp).cut(new Fragment(7, true));
        final var later = Packet.of(ONE, TWO, udp).cut(new Fragment(7, false));
        assertTrue(first.fits(udp.match(), 1) && later.fits(hidden.match(), 1));
        assertFalse(first.fits(hidden.match(), 1) || later.fits(udp.match(), 1));
    }

    /** Seen of Open vSwitch 3.1 in its own datapath; the kernel's does it right. */
    @Test
    void aLaterIpv4FragmentDoesNotOutliveAnotherAddressAndAllElseDoes() {
        final var portless = new Connection(connection.protocol(), connection.source(), connection.destination(), 0, 0);
        add(flow(0, 1, portless.match(), new Action.SetIpDestination(ip("10.0.0.9")), new Action.Output(2)));
        final var first = packet.cut(new Fragment(7, true));
        assertEquals(Optional.of(new Fragment(7, true)), target.process(1, first).sent().getFirst().packet()
            .fragment());
        assertThrows(IllegalStateException.class, () -> target.process(1, packet.cut(new Fragment(7, false))));
    }

    private void fits(final boolean wanted, final FlowMatch match) {
        assertEquals(wanted, packet.fits(match, 1), match.toString());
    }

    private void add(final Entry entry) {
        assertEquals(new Done(), target.add(entry, COOKIE));
    }

    private void refuse(final Reason reason, final Entry entry) {
        assertEquals(new Refused(reason), target.add(entry, COOKIE));
    }

    private static Flow flow(final int table, final int priority, final FlowMatch match, final Action... actions) {
        return new Flow(table, priority, match, Arrays.asList(actions));
    }
}
