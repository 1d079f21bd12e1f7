// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import io.sluice.api.Owner;
import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Addresses;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Ipv6Prefix;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.Counter64;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.tables.table.FlowBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.FlowModFlags;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.groups.GroupBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.BandId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.config.stats.reply.MeterConfigStatsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.statistics.MeterBandStatsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.statistics.meter.band.stats.BandStatBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.meter.statistics.reply.MeterStatsBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Icmpv6MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.MetadataBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.ArpMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6MatchArbitraryBitMask;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._3.match.Ipv6MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.layer._4.match.TcpMatchBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

class CodecTest {
    private static final SwitchId SWITCH = new SwitchId("openflow:1");
    private static final Owner OWNER = new Owner("multipath", 2);

    private static final Question QUESTION = new Question(MacAddress.of("02:00:00:aa:bb:cc"),
        Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"));

    private static final Question QUESTION6 = new Question(MacAddress.of("02:00:00:aa:bb:cc"),
        Addresses.ip("fd00::1"), Addresses.ip("fe80::2"));

    private final EntryCodec codec = new EntryCodec(SWITCH, new MeterIds(1 << 18));

    static Stream<Action> actions() {
        final var mac = MacAddress.of("02:00:00:aa:bb:cc");
        return Stream.of(new Action.Output(7), new Action.OutputToIngress(), new Action.OutputToController(),
            new Action.ToGroup(OWNER.groupId(5)), new Action.SetEthernetSource(mac),
            new Action.SetEthernetDestination(mac), new Action.SetIpSource(Addresses.ip("10.0.0.1")),
            new Action.SetIpDestination(Addresses.ip("10.0.0.2")), new Action.SetIpSource(Addresses.ip("fd00::1")),
            new Action.SetIpDestination(Addresses.ip("fd00::2")), new Action.SetCodePoint(0),
            new Action.SetCodePoint(Action.SetCodePoint.MAX), new Action.SetQueue(0), new Action.SetQueue(0xffff_fffeL),
            new Action.AnswerArp(mac, Addresses.ip("10.0.0.2"), new PathLabel(9).mac(), Addresses.ip("10.0.0.1")),
            new Action.AskBack(QUESTION6));
    }

    static Stream<FlowMatch> matches() {
        return Stream.concat(Stream.of(FlowMatch.ANY, FlowMatch.builder().inPort(3).build(),
            FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_ARP).build(),
            FlowMatch.builder().vlan(FlowMatch.TAGGED).build(), FlowMatch.builder().vlan(FlowMatch.UNTAGGED).build(),
            FlowMatch.builder().inPort(3).vlan(1).build(), FlowMatch.builder().vlan(FlowMatch.MAX_VLAN).build(),
            FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_IPV4).codePoint(0).build(),
            FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_IPV6).codePoint(63).ipProtocol(1).build(),
            FlowMatch.builder().ethernetDestination(PathLabel.ANY).build(),
            FlowMatch.builder().ethernetDestination(MaskedMac.exact(new PathLabel(9).mac())).build(),
            FlowMatch.builder().inPort(3).question(QUESTION).build(),
            FlowMatch.builder().inPort(3).question(QUESTION6).build(),
            FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_IPV6).ipProtocol(FlowMatch.PROTOCOL_ICMPV6).build()),
            Stream.concat(Stream.of("10.0.0.0/8", "10.1.2.3/32", "fd00::/64", "fd00::1/128").map(CodecTest::prefix),
                Stream.of(masked("0.0.0.5", "0.0.0.15"), masked("10.0.0.5", "255.0.0.15"), masked("::5", "::f"),
                    masked("fd00::1:5", "ffff::ffff:f")))
                .flatMap(prefix -> Stream.of(FlowMatch.PROTOCOL_TCP, FlowMatch.PROTOCOL_UDP).flatMap(protocol ->
                    Stream.of(FlowMatch.builder().source(prefix).build(),
                        FlowMatch.builder().destination(prefix).ipProtocol(protocol).l4Destination(80).build(),
                        FlowMatch.builder().source(prefix).destination(prefix).ipProtocol(protocol)
                            .l4Source(1234).l4Destination(80).build(),
                        FlowMatch.builder().source(prefix).ipProtocol(protocol).l4Source(2).build(),
                        FlowMatch.builder().source(prefix(prefix.isIpv6() ? "2001::9/128" : "10.9.9.9/32"))
                            .destination(prefix).build(),
                        FlowMatch.builder().source(prefix(prefix.isIpv6() ? "fd00::9/128" : "10.9.9.9/32"))
                            .destination(prefix).build(),
                        FlowMatch.builder().source(prefix)
                            .destination(prefix(prefix.isIpv6() ? "fd00::9/128" : "10.9.9.9/32")).build()))));
    }

    @Test
    void actionsComeBackInOrder() {
        final var all = actions().toList();
        assertEquals(Optional.of(all), ActionCodec.decode(ActionCodec.encode(all)));
        assertEquals(Optional.of(all.reversed()), ActionCodec.decode(ActionCodec.encode(all.reversed())));
    }

    @ParameterizedTest
    @MethodSource("matches")
    void matchesComeBack(final FlowMatch match) {
        assertEquals(Optional.of(match), MatchCodec.decode(SWITCH, MatchCodec.encode(SWITCH, match)));
    }

    /** The plugin can't read back one that is exact. */
    @Test
    void anIpv6SourceBesideMaskedDestinationsHasAMask() {
        final var match = FlowMatch.builder().source(prefix("fd00::9/128")).destination(masked("::5", "::f")).build();
        final var written = assertInstanceOf(Ipv6MatchArbitraryBitMask.class,
            MatchCodec.encode(SWITCH, match).getLayer3Match());
        assertEquals("7d00::9", written.getIpv6SourceAddressNoMask().getValue());
        assertEquals("7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", written.getIpv6SourceArbitraryBitmask().getValue());
    }

    @Test
    void anIpv6SourceThatWouldComeBackAsAnotherIsRefusedByName() {
        final var match = FlowMatch.builder().source(prefix("5f00::9/128")).destination(masked("::5", "::f")).build();
        final var refusal = assertThrows(IllegalArgumentException.class, () -> MatchCodec.encode(SWITCH, match));
        assertTrue(refusal.getMessage().startsWith("5f00:"), refusal::getMessage);
    }

    @ParameterizedTest
    @MethodSource("matches")
    void flowsComeBack(final FlowMatch match) {
        final var plain = new Entry.Flow(1, 1000, match, actions().toList());
        for (var flow : List.of(plain, plain.goingOnTo(2), plain.meteredBy(OWNER.meterNumber(4)),
                new Entry.Flow(0, 0, match, List.of()))) {
            assertEquals(Optional.of(flow), codec.decode(encoded(flow).build()));
        }
    }

    @Test
    void aPartOfAnAnswerToArpIsNotDecoded() {
        final var answer = ActionCodec.encode(List.of(new Action.AnswerArp(QUESTION.senderMac(), QUESTION.sender(),
            QUESTION.senderMac(), QUESTION.target())));
        for (var step : answer.keySet()) {
            final var part = new HashMap<>(answer);
            part.remove(step);
            assertEquals(Optional.empty(), ActionCodec.decode(part));
        }
        final var mac = ArpCodec.encode(QUESTION).getArpSourceHardwareAddress();
        assertThrows(IllegalArgumentException.class, () -> ArpCodec.decode(
            new ArpMatchBuilder().setArpSourceHardwareAddress(mac).build()));
        assertThrows(IllegalArgumentException.class, () -> ArpCodec.decode(
            new ArpMatchBuilder(ArpCodec.encode(QUESTION)).setArpOp(Uint16.TWO).build()));
    }

    @Test
    void aPartOfASolicitationIsNotDecoded() {
        final var steps = ActionCodec.encode(List.of(new Action.AskBack(QUESTION6)));
        for (var step : steps.keySet()) {
            final var part = new HashMap<>(steps);
            part.remove(step);
            final var decoded = ActionCodec.decode(part);
            assertTrue(decoded.isEmpty(), () -> step + " is missing: " + decoded);
        }
        final var solicitation = NeighbourCodec.encode(QUESTION6);
        for (var other : List.of(new Ipv6MatchBuilder(solicitation).setIpv6NdSll(null).build(),
                new Ipv6MatchBuilder(solicitation).setIpv6Source(null).build(),
                new Ipv6MatchBuilder(solicitation).setIpv6Source(new Ipv6Prefix("fd00::/64")).build(),
                new Ipv6MatchBuilder(solicitation).setIpv6NdTll(solicitation.getIpv6NdSll()).build())) {
            assertThrows(IllegalArgumentException.class, () ->
                NeighbourCodec.decode(other, NeighbourCodec.SOLICITATION), other.toString());
        }
        assertThrows(IllegalArgumentException.class, () -> NeighbourCodec.decode(solicitation,
            new Icmpv6MatchBuilder().setIcmpv6Type(Uint8.valueOf(136)).build()));
    }

    @Test
    void anotherMatchOnIcmpv6IsNotDecoded() {
        final var echo = new MatchBuilder(MatchCodec.encode(SWITCH, FlowMatch.builder()
            .ethernetType(FlowMatch.ETHERNET_IPV6).ipProtocol(FlowMatch.PROTOCOL_ICMPV6).build()))
            .setIcmpv6Match(new Icmpv6MatchBuilder().setIcmpv6Type(Uint8.valueOf(128)).build()).build();
        assertEquals(Optional.empty(), MatchCodec.decode(SWITCH, echo));
    }

    @Test
    void groupsComeBack() {
        final var group = new Entry.FailoverGroup(OWNER.groupId(1), List.of(
            new Entry.Bucket(1, actions().toList()), new Entry.Bucket(2, List.of(new Action.OutputToIngress()))));
        final var encoded = new GroupBuilder().setGroupId(new GroupId(Uint32.valueOf(group.groupId())))
            .setGroupType(GroupTypes.GroupFf).setBuckets(codec.encodeBuckets(group));
        assertEquals(Optional.of(group), codec.decode(encoded.build()));
        assertEquals(Optional.empty(), codec.decode(encoded.setGroupType(GroupTypes.GroupSelect).build()));
        codec.encodeBuckets(group).nonnullBucket().values().forEach(bucket ->
            assertEquals(Uint32.MAX_VALUE, bucket.getWatchGroup(), "no group is watched"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 10_000, 0xffff_ffffL})
    void metersComeBack(final long rate) {
        for (var unit : MeterUnit.values()) {
            final var meter = new Entry.Meter(OWNER.meterNumber(3), unit, rate, rate);
            assertEquals(Optional.of(meter), codec.decode(new MeterConfigStatsBuilder()
                .setMeterId(codec.meterId(meter.number())).setFlags(EntryCodec.encodeFlags(meter))
                .setMeterBandHeaders(EntryCodec.encodeBands(meter)).build()));
        }
    }

    @ParameterizedTest
    @CsvSource({"4294967295, 65536, 65536", "262144, 65536, 8192", "1024, 512, 32", "255, 128, 8", "31, 16, 1"})
    void meterIdsAreDistinctWithinTheSwitchsRangeAndHalfForFlows(final long largest, final int forFlows,
            final int forOthers) {
        final var ids = new MeterIds(largest);
        final var given = new HashSet<Long>();
        for (int number = 1; number <= 15; number++) {
            final var owner = new Owner("owner", number);
            final int room = number == Owner.METERS_FLOWS ? forFlows : forOthers;
            for (int own = 0; own < room; own++) {
                final int meter = owner.meterNumber(own);
                final long id = ids.id(meter);
                assertTrue(id >= 1 && id <= largest && given.add(id), () -> "id " + id + " of " + owner);
                assertEquals(OptionalInt.of(meter), ids.number(id));
            }
            if (room <= Owner.MAX_METER) {
                assertThrows(IllegalArgumentException.class, () -> ids.id(owner.meterNumber(room)));
            }
        }
        for (long id = 0; id <= Math.min(largest, 1 << 21); id++) {
            assertEquals(given.contains(id), ids.number(id).isPresent(), "id " + id);
        }
        assertEquals(OptionalInt.empty(), ids.number(largest + 1));
    }

    @ParameterizedTest
    @CsvSource({"9, true", "-1, false"})
    void whatAMeterDroppedIsReadIfItIsCounted(final long bytes, final boolean isCounted) {
        final var meter = new MeterStatsBuilder().setMeterId(new MeterId(Uint32.ONE))
            .setPacketInCount(new Counter64(Uint64.valueOf(5))).setByteInCount(new Counter64(Uint64.valueOf(20)))
            .setMeterBandStats(new MeterBandStatsBuilder().setBandStat(BindingMap.of(new BandStatBuilder()
                .setBandId(new BandId(Uint32.ZERO)).setPacketBandCount(new Counter64(Uint64.TWO))
                .setByteBandCount(new Counter64(Uint64.fromLongBits(bytes))).build())).build()).build();

        assertEquals(isCounted ? Optional.of(new Metered(1, new Traffic(5, 20), new Traffic(2, 9))) : Optional.empty(),
            EntryCodec.decode(meter));
    }

    @Test
    void aSwitchWithoutMetersHasRoomForNone() {
        final var ids = new MeterIds(0);
        assertThrows(IllegalArgumentException.class, () -> ids.id(OWNER.meterNumber(0)));
        assertEquals(OptionalInt.empty(), ids.number(1));
    }

    @Test
    void flowsThatSluiceCannotHaveWrittenAreNotDecoded() {
        final var flow = new Entry.Flow(1, 5, FlowMatch.ANY, List.of(new Action.Output(1)));
        assertEquals(Optional.empty(), codec.decode(encoded(flow).setIdleTimeout(Uint16.ONE).build()));
        assertEquals(Optional.empty(), codec.decode(encoded(flow).setHardTimeout(Uint16.ONE).build()));
        assertEquals(Optional.of(flow), codec.decode(encoded(flow).setFlags(EntryCodec.NO_FLAGS).build()));
        final var tellsWhenItGoes = new FlowModFlags(false, false, false, false, true);
        assertEquals(Optional.empty(), codec.decode(encoded(flow).setFlags(tellsWhenItGoes).build()));
        final var metered = encoded(flow.meteredBy(OWNER.meterNumber(1))).build();
        assertEquals(Optional.empty(), new EntryCodec(SWITCH, new MeterIds(0)).decode(metered));
    }

    @Test
    void matchesThatSluiceCannotHaveMadeAreNotDecoded() {
        assertEquals(Optional.empty(), MatchCodec.decode(SWITCH, new MatchBuilder()
            .setMetadata(new MetadataBuilder().setMetadata(Uint64.ONE).build()).build()));
        assertEquals(Optional.empty(), MatchCodec.decode(SWITCH, new MatchBuilder()
            .setInPort(new NodeConnectorId("openflow:1:LOCAL")).build()));
        final var tcp = FlowMatch.builder().source(prefix("10.0.0.1/32")).ipProtocol(FlowMatch.PROTOCOL_TCP)
            .l4Destination(8).build();
        final var encoded = MatchCodec.encode(SWITCH, tcp);
        final var port = new PortNumber(Uint16.valueOf(8));
        for (var masked : List.of(
                new TcpMatchBuilder().setTcpDestinationPort(port).setTcpDestinationPortMask(port).build(),
                new TcpMatchBuilder().setTcpSourcePort(port).setTcpSourcePortMask(port).build())) {
            assertEquals(Optional.empty(), MatchCodec.decode(SWITCH,
                new MatchBuilder(encoded).setLayer4Match(masked).build()));
        }
    }

    private FlowBuilder encoded(final Entry.Flow flow) {
        return new FlowBuilder().setId(new FlowId("flow")).setTableId(Uint8.valueOf(flow.tableId()))
            .setPriority(Uint16.valueOf(flow.priority())).setMatch(MatchCodec.encode(SWITCH, flow.match()))
            .setInstructions(codec.encodeInstructions(flow));
    }

    private static MaskedIp masked(final String address, final String mask) {
        return new MaskedIp(Addresses.ip(address), Addresses.ip(mask));
    }

    private static MaskedIp prefix(final String text) {
        final var parts = text.split("/");
        return MaskedIp.prefix(Addresses.ip(parts[0]), Integer.parseInt(parts[1]));
    }
}
