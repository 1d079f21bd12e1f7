// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Action;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.Owner;
import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import io.sluice.southbound.packet.Packet;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.FakeSession;
import io.sluice.southbound.program.Held;
import io.sluice.southbound.program.SwitchFeatures;
import io.sluice.southbound.program.SwitchSession;
import io.sluice.southbound.qualify.Check.Figure;
import io.sluice.southbound.qualify.Check.Name;
import io.sluice.southbound.qualify.Check.Result;
import io.sluice.southbound.qualify.Check.Unit;
import io.sluice.southbound.qualify.Qualification.Outcome.Aborted;
import io.sluice.southbound.qualify.Qualification.Outcome.Measured;
import io.sluice.southbound.qualify.Qualification.Ports;
import io.sluice.testlib.Ability;
import io.sluice.testlib.FakeSwitch;
import io.sluice.testlib.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QualificationTest {
    private static final SwitchId ID = new SwitchId("openflow:1");
    private static final long CONTROLLER = 0xffff_fffdL;
    private static final Ports PORTS = new Ports(Optional.of(1L), Optional.of(2L));
    private static final long FOREIGN_COOKIE = 7;
    private static final Owner OTHER = new Owner("multipath", 2);
    private static final Entry.Flow FALL_THROUGH =
        new Entry.Flow(Pipeline.METER, Pipeline.PRIORITY_MISS, FlowMatch.ANY, List.of()).goingOnTo(Pipeline.CLASSIFY);
    private static final Entry.Flow TRAFFIC =
        new Entry.Flow(0, 1, FlowMatch.ANY, List.of(new Action.Output(1)));

    private final ManualClock clock = new ManualClock();

    @Test
    void allOfSluiceWorksOnAnAbleSwitch() {
        final var report = measure(switchLacking());

        assertEquals("steering of IPv4 works; steering of IPv6 works; splitting IPv4 by slots works; "
            + "splitting IPv6 by slots works; ARP without the controller works; ND without the controller works; "
            + "local repair works; metering works; marking IPv4 for queues works; marking IPv6 for queues works",
            report.verdict());
        assertEquals(EnumSet.allOf(Name.class), names(report, Result.WORKS));
    }

    @Test
    void leavesEverythingAsItWasAndNothingBehind() {
        final var target = switchLacking();
        target.add(TRAFFIC, FOREIGN_COOKIE);
        target.add(new Entry.Flow(1, 2, FlowMatch.ANY, List.of()), OTHER.cookie(5));
        final var before = target.entries();
        target.add(ScratchFlows.dropping(4), Scratch.OWNER.cookie(0));

        measure(target);

        assertEquals(before, target.entries());
    }

    @ParameterizedTest
    @CsvSource({
        "FAILOVER_GROUPS, failover-group, NOT_SUPPORTED, local repair doesn't work (failover-group: the switch has no",
        "WATCHED_PORTS, failover-liveness, FAILS, local repair doesn't work (failover-liveness: the packet came bac",
        "DROPPING_METERS, meter-packets, FAILS, metering doesn't work (meter-kilobits: 200 of 200 packets at",
        "METERS, meter-kilobits, NOT_SUPPORTED, metering doesn't work (meter-kilobits: the switch has no meters)",
        "METERS, meter-burst, NOT_SUPPORTED, metering doesn't work (meter-kilobits: the switch has no meters)",
        "MASKED_ETHERNET, match-label, FAILS, steering of IPv4 doesn't work (match-label: table 1",
        "MASKED_IP, match-slot-ipv4, FAILS, splitting IPv4 by slots doesn't work (match-slot-ipv4: table 1",
        "MASKED_IP, match-slot-ipv6, FAILS, splitting IPv6 by slots doesn't work (match-slot-ipv6: table 1",
        "SET_ETHERNET, set-ethernet, FAILS, steering of IPv6 doesn't work (set-ethernet: table 1",
        "SET_ARP, answer-arp, FAILS, ARP without the controller doesn't work (answer-arp: table 1",
        "SET_ND, ask-back, FAILS, ND without the controller doesn't work (ask-back: table 1",
        "SET_CODE_POINT, code-point-ipv4, FAILS, marking IPv4 for queues doesn't work (code-point-ipv4: table 0",
        "SET_IP, set-ipv6, FAILS, steering of IPv6 doesn't work (set-ipv6: table 1"})
    void tellsWhatASwitchCannotDo(final Ability lacking, final String check, final Result result,
            final String verdict) {
        final var report = measure(switchLacking(lacking));

        assertEquals(result, find(report, check).result());
        assertTrue(report.verdict().contains(verdict), report.verdict());
    }

    @Test
    void aSwitchThatHoldsItsEntriesButDoesNotFollowThemFails() {
        final var target = switchLacking();
        final ProbeWire echo = (frames, expected, over) ->
            CompletableFuture.completedFuture(frames.stream().map(Frames::parse).limit(expected).toList());
        final var report = report(new Qualification(session(target), echo, PORTS, clock).run());

        assertEquals(EnumSet.of(Name.SET_ETHERNET, Name.MATCH_LABEL, Name.MATCH_IPV4, Name.MATCH_IPV6,
            Name.MATCH_SLOT_IPV4, Name.MATCH_SLOT_IPV6, Name.SET_IPV4, Name.SET_IPV6, Name.CODE_POINT_IPV4,
            Name.CODE_POINT_IPV6, Name.ANSWER_ARP, Name.ASK_BACK, Name.FAILOVER_LIVENESS, Name.METER_KILOBITS,
            Name.METER_PACKETS, Name.METER_RATE, Name.METER_BURST), names(report, Result.FAILS));
        assertTrue(find(report, "set-ipv4").reason().startsWith("the packet came back otherwise than its entries say"),
            find(report, "set-ipv4").reason());
    }

    @Test
    void packetsThatDoNotComeBackAreAFailure() {
        final var target = switchLacking();
        final ProbeWire silent = (frames, expected, over) -> CompletableFuture.completedFuture(List.of());
        final var report = report(new Qualification(session(target), silent, PORTS, clock).run());

        assertEquals("the packet did not come back", find(report, "match-ipv6").reason());
        assertEquals("after a second below the rate the packet did not come back",
            find(report, "meter-packets").reason());
    }

    @Test
    void aMeterThatPassesLessThanItShouldFails() {
        final var target = switchLacking();
        final ProbeWire lossy = (frames, expected, over) -> probe(target, frames, over, 0)
            .thenApply(came -> frames.size() == 1 ? came : came.subList(0, came.size() * 3 / 4));
        final var report = report(new Qualification(session(target), lossy, PORTS, clock).run());

        assertEquals(Check.fails(Name.METER_RATE, "a meter of 256 kbit/s passes 192 of frames of 1500 octets, a meter"
            + " of 256 kbit/s passes 192 of frames of 68 octets", rates(192, 192)), find(report, "meter-rate"));
        assertEquals(Check.fails(Name.METER_BURST, "a bucket of 128 kbit passes 96 at once",
            new Figure("burst", 96, Unit.KILOBITS)), find(report, "meter-burst"));
        assertTrue(report.verdict().contains("metering doesn't work (meter-rate: a meter of 256 kbit/s passes 192 of"),
            report.verdict());
    }

    @Test
    void aMeterThatCountsTheCheckSumPassesTooLittleOfShortFrames() {
        final var target = switchLacking();
        final ProbeWire wire = (frames, expected, over) -> probe(target, frames, over, 4);
        final var report = report(new Qualification(session(target), wire, PORTS, clock).run());

        assertEquals(Check.fails(Name.METER_RATE, "a meter of 256 kbit/s passes 242 of frames of 68 octets",
            rates(256, 242)), find(report, "meter-rate"));
    }

    private static Figure[] rates(final long full, final long least) {
        return new Figure[] {new Figure("rate-1500", full, Unit.KILOBITS_PER_SECOND),
            new Figure("rate-68", least, Unit.KILOBITS_PER_SECOND)};
    }

    @Test
    void oneRefusalOfIpv6LeavesTheRestWorking() {
        final var target = switchLacking();
        final var session = session(target);
        session.refuse(change -> change.key() instanceof EntryKey.FlowKey flow
            && flow.match().ethernetType().equals(OptionalInt.of(FlowMatch.ETHERNET_IPV6)));
        final var verdict = report(run(session, target, PORTS)).verdict();

        assertTrue(verdict.startsWith("steering of IPv4 works; steering of IPv6 doesn't work (match-ipv6: table 1"),
            verdict);
        assertTrue(verdict.contains("table full); splitting IPv4 by slots works; splitting IPv6 by slots doesn't"),
            verdict);
        assertTrue(verdict.contains("table full); ARP without the controller works; ND without the controller doesn't"),
            verdict);
        assertTrue(verdict.contains("metering works; marking IPv4 for queues works; marking IPv6 for queues doesn't"),
            verdict);
    }

    @Test
    void aSwitchWithTwoTablesHasTooFew() {
        final var report = measure(new FakeSwitch(ID, Set.of(1L, 2L), 2));

        assertEquals(new Check(Name.TABLES, Result.NOT_SUPPORTED, "Sluice needs 4 tables, the switch has 2",
            List.of(new Figure("tables", 2, Unit.ENTRIES))), find(report, "tables"));
    }

    @Test
    void livenessNeedsAPortThatIsDown() {
        final var target = new FakeSwitch(ID, Set.of(1L), 3);
        final var report = report(run(session(target), target, new Ports(Optional.of(1L), Optional.empty())));

        assertEquals(Result.NOT_MEASURED, find(report, "failover-liveness").result());
        assertTrue(report.verdict().contains("local repair is not proven (failover-liveness: the switch needs a port"),
            report.verdict());
    }

    @Test
    void aSwitchThatHoldsSomethingElseFails() {
        final var target = switchLacking();
        final var report = report(run(new Liar(session(target)), target, PORTS));

        assertTrue(find(report, "read-back").reason().startsWith("otherwise when read back: table 1"),
            find(report, "read-back").reason());
        assertTrue(report.verdict().startsWith("steering of IPv4 doesn't work (read-back"), report.verdict());
    }

    @Test
    void aSwitchThatGoesAwayEndsTheMeasurementAndTheNextOneClearsUp() {
        final var target = switchLacking();
        final var session = session(target);
        session.dieAfter(150);

        final var aborted = assertInstanceOf(Aborted.class, run(session, target, PORTS));
        assertEquals("after 3 checks: connection lost", aborted.reason());
        assertEquals(100, target.entries().size());
        measure(target);
        assertEquals(List.of(), target.entries());
    }

    @Test
    void figuresAreTheTimesThatTheSwitchTook() {
        final var target = switchLacking();
        final var report = report(run(new Slow(session(target)), target, PORTS));

        assertEquals(List.of(new Figure("p50", 1500, Unit.MICROSECONDS), new Figure("p99", 1500, Unit.MICROSECONDS)),
            find(report, "flow-add").figures());
        assertEquals(List.of(rates(256, 256)), find(report, "meter-rate").figures());
        assertEquals(List.of(new Figure("burst", 128, Unit.KILOBITS)), find(report, "meter-burst").figures());
        assertEquals(List.of(new Figure("rate", 1000 * 1_000_000 / 1500, Unit.ENTRIES_PER_SECOND),
            new Figure("took", 1500, Unit.MICROSECONDS), new Figure("entries", 1000, Unit.ENTRIES)),
            find(report, "flow-rate").figures());
    }

    @Test
    void percentilesAreNearestRank() {
        final var check = new Latencies(clock).measure(Name.BARRIER, i -> {
            clock.advance(Duration.ofNanos(1000L * (100 - i)));
            return Optional.empty();
        });

        assertEquals(List.of(new Figure("p50", 50, Unit.MICROSECONDS), new Figure("p99", 99, Unit.MICROSECONDS)),
            check.figures());
    }

    private static FakeSwitch switchLacking(final Ability... abilities) {
        final var target = new FakeSwitch(ID, Set.of(1L, 2L), 4, Set.of(abilities));
        target.setPort(2, false);
        return target;
    }

    private static FakeSession session(final FakeSwitch target) {
        return new FakeSession(target, Runnable::run, new ArrayList<>());
    }

    private Report measure(final FakeSwitch target) {
        return report(run(session(target), target, PORTS));
    }

    private Qualification.Outcome run(final SwitchSession session, final FakeSwitch target, final Ports ports) {
        final ProbeWire wire = (frames, expected, over) -> probe(target, frames, over, 0);
        return new Qualification(session, wire, ports, clock).run();
    }

    /**
     * Sends frames after some time through the tables of the measurement and those of the fabric.
     *
     * @param more octets that the switch counts of each besides
     */
    private static CompletionStage<List<Packet>> probe(final FakeSwitch target, final List<byte[]> frames,
            final Duration over, final int more) {
        target.add(FALL_THROUGH, FOREIGN_COOKIE);
        target.refillMeters();
        final var came = frames.stream()
            .peek(frame -> target.elapse(over.dividedBy(frames.size())))
            .flatMap(frame -> target.process(CONTROLLER, sent(Frames.parse(frame)),
                frame.length + ProbeWire.TAG_LENGTH + more).toController().stream())
            .map(QualificationTest::received).toList();
        target.remove(FALL_THROUGH);
        return CompletableFuture.completedFuture(came);
    }

    private static io.sluice.testlib.Packet sent(final Packet packet) {
        return switch (packet) {
            case Packet.Ip ip -> io.sluice.testlib.Packet.of(ip.ethernet().source(), ip.ethernet().destination(),
                ip.connection());
            case Packet.Arp arp -> io.sluice.testlib.Packet.of(
                new Question(arp.senderMac(), arp.senderIp(), arp.targetIp()));
            case Packet.NeighbourSolicitation asked -> io.sluice.testlib.Packet.of(
                new Question(asked.ethernet().source(), asked.source(), asked.target()),
                asked.ethernet().destination(), asked.target());
            case Packet.Other other -> new io.sluice.testlib.Packet(other.ethernet().source(),
                other.ethernet().destination(), other.etherType(), Optional.empty());
            default -> throw new IllegalArgumentException(packet.toString());
        };
    }

    private static Packet received(final io.sluice.testlib.Packet packet) {
        final var ethernet = new Ethernet(packet.ethernetDestination(), packet.ethernetSource(), Ethernet.UNTAGGED);
        return packet.answer().<Packet>map(said ->
                new Packet.Arp(ethernet, false, said.senderMac(), said.sender(), said.target()))
            .or(() -> packet.question().map(asked ->
                new Packet.NeighbourSolicitation(ethernet, asked.sender(), asked.target())))
            .or(() -> packet.connection().map(connection -> new Packet.Ip(ethernet, connection)))
            .orElseGet(() -> new Packet.Other(ethernet, packet.ethernetType()));
    }

    private static Report report(final Qualification.Outcome outcome) {
        return assertInstanceOf(Measured.class, outcome).report();
    }

    private static Check find(final Report report, final String word) {
        return report.checks().stream().filter(check -> check.name().word().equals(word)).findFirst().orElseThrow();
    }

    private static Set<Name> names(final Report report, final Result result) {
        return report.checks().stream().filter(check -> check.result() == result).map(Check::name)
            .collect(Collectors.toSet());
    }

    /** Passes everything on. */
    private abstract static class Wrapper implements SwitchSession {
        final SwitchSession session;

        Wrapper(final SwitchSession session) {
            this.session = session;
        }

        @Override
        public SwitchFeatures features() {
            return session.features();
        }

        @Override
        public CompletionStage<Contents> read() {
            return session.read();
        }

        @Override
        public CompletionStage<Map<EntryKey, String>> apply(final List<Change> changes) {
            return session.apply(changes);
        }

        @Override
        public CompletionStage<Map<Long, Traffic>> traffic(final int tableId) {
            return session.traffic(tableId);
        }

        @Override
        public CompletionStage<Map<Integer, Metered>> metered() {
            return session.metered();
        }
    }

    /** Says that flows do something else than was asked for. */
    private static final class Liar extends Wrapper {
        Liar(final SwitchSession session) {
            super(session);
        }

        @Override
        public CompletionStage<Contents> read() {
            return super.read().thenApply(contents -> {
                final var owned = new HashMap<>(contents.owned());
                owned.replaceAll((key, held) -> key instanceof EntryKey.FlowKey
                    ? new Held.Unknown(held.owner(), ((Held.Known) held).entry()) : held);
                return new Contents(owned, contents.foreign());
            });
        }

        @Override
        public CompletionStage<Map<EntryKey, String>> apply(final List<Change> changes) {
            return super.apply(changes.stream().map(change -> change.held() instanceof Held.Unknown unknown
                ? new Change(change.kind(), change.key(),
                    new Held.Known((Entry) unknown.handle(), unknown.owner(), 0)) : change).toList());
        }
    }

    /** Takes a millisecond and a half for each batch. */
    private final class Slow extends Wrapper {
        Slow(final SwitchSession session) {
            super(session);
        }

        @Override
        public CompletionStage<Map<EntryKey, String>> apply(final List<Change> changes) {
            clock.advance(Duration.ofNanos(1_500_000));
            return super.apply(changes);
        }
    }
}
