// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Flow;
import io.sluice.api.MacAddress;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.qualify.Check.Figure;
import io.sluice.southbound.qualify.Check.Name;
import io.sluice.southbound.qualify.Check.Unit;
import io.sluice.southbound.qualify.Experiment.Trial;
import io.sluice.southbound.qualify.Qualification.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Checks that send probes through the tables. */
final class PacketChecks {
    private static final MacAddress LOOPED = ScratchFlows.mac(3);
    private static final MacAddress GROUPED = ScratchFlows.mac(4);
    private static final MacAddress BY_DOWN_PORT = ScratchFlows.mac(5);
    private static final MacAddress BY_UP_PORT = ScratchFlows.mac(6);
    private static final MacAddress METERED = ScratchFlows.mac(7);
    private static final long GROUP = Scratch.OWNER.groupId(0);
    /** Octets of frames without check sum. */
    private static final int FULL_LENGTH = 1500;
    private static final int BURST_LENGTH = 100;
    private static final int LEAST_LENGTH = 60 + ProbeWire.TAG_LENGTH;
    private static final int BURST = 200;
    private static final Duration BEGINNING = Duration.ofSeconds(1);
    private static final Duration LONGER = Duration.ofSeconds(3);
    private static final double BITS_OF_KILOBIT = 1000;

    private final Scratch scratch;
    private final ProbeWire wire;
    private final Latencies latencies;

    PacketChecks(final Scratch scratch, final ProbeWire wire, final LongSupplier nowNs) {
        this.scratch = scratch;
        this.wire = wire;
        latencies = new Latencies(nowNs);
    }

    Check loop() {
        final var refusal = scratch.change(Kind.ADD,
            List.of(ScratchFlows.treating(LOOPED, new Action.OutputToController())));
        return refusal.map(reason -> Check.fails(Name.PACKET_LOOP, reason)).orElseGet(() ->
            latencies.measure(Name.PACKET_LOOP, i -> failure(Trial.marked(LOOPED, LOOPED))));
    }

    /** The first bucket watches a port that is down, the second one that is up. */
    Check liveness(final Ports ports) {
        if (ports.up().isEmpty() || ports.down().isEmpty()) {
            return Check.notMeasured(Name.FAILOVER_LIVENESS,
                "the switch needs a port that is up and one that is down");
        }
        final List<Entry> entries = List.of(
            new FailoverGroup(GROUP, List.of(bucket(ports.down().orElseThrow(), BY_DOWN_PORT),
                bucket(ports.up().orElseThrow(), BY_UP_PORT))),
            ScratchFlows.treating(GROUPED, new Action.ToGroup(GROUP)));
        return scratch.unsupported(entries).map(reason -> Check.notSupported(Name.FAILOVER_LIVENESS, reason))
            .or(() -> scratch.change(Kind.ADD, entries).or(() -> failure(Trial.marked(GROUPED, BY_UP_PORT)))
                .map(reason -> Check.fails(Name.FAILOVER_LIVENESS, reason)))
            .orElseGet(() -> Check.works(Name.FAILOVER_LIVENESS));
    }

    /** Why the packets don't go as they should; ends with the first that doesn't. */
    Optional<String> failure(final List<Trial> trials) {
        return trials.stream().map(this::failure).flatMap(Optional::stream).findFirst();
    }

    /** The packets of {@link #overload} through {@code meter}. */
    static Flow metered(final int meter) {
        return ScratchFlows.treating(METERED, new Action.OutputToController()).meteredBy(meter);
    }

    /** Why a meter of a few packets a second does not hold back most of many at once, and let later ones pass. */
    Optional<String> overload() {
        final int passed = Scratch.await(wire.send(
            Collections.nCopies(BURST, frame(FULL_LENGTH)), BURST, Duration.ZERO)).size();
        return passed > BURST / 2 ? Optional.of(passed + " of " + BURST + " packets at once passed the meter")
            : failure(Trial.marked(METERED, METERED)).map(reason -> "after a second below the rate " + reason);
    }

    /**
     * What a meter passes while twice its rate is offered, which is to be the rate within a twentieth, in frames of
     * full length and in short ones, of which it passes less if it counts more than the frames.
     */
    Check rate(final long kilobits) {
        final var figures = new ArrayList<Figure>();
        final var reasons = new ArrayList<String>();
        for (int length : new int[] {FULL_LENGTH, LEAST_LENGTH}) {
            final double rate = rate(kilobits, length);
            final var figure = new Figure("rate-" + length, Math.round(rate), Unit.KILOBITS_PER_SECOND);
            figures.add(figure);
            if (Math.abs(rate - kilobits) > 0.05 * kilobits) {
                reasons.add("a meter of " + kilobits + " kbit/s passes " + figure.value() + " of frames of " + length
                    + " octets");
            }
        }
        final var measured = figures.toArray(Figure[]::new);
        return reasons.isEmpty() ? Check.works(Name.METER_RATE, measured)
            : Check.fails(Name.METER_RATE, String.join(", ", reasons), measured);
    }

    /** A meter begins with what is in its bucket, which passes in a short time and in a longer one. */
    private double rate(final long kilobits, final int length) {
        final double longer = passed(2 * kilobits, BEGINNING.plus(LONGER), length);
        return (longer - passed(2 * kilobits, BEGINNING, length)) / LONGER.toSeconds();
    }

    /**
     * What a meter passes of twice its bucket at once, which is to be four fifths of the bucket at least, and no more
     * than half of it besides: that may come while the packets are sent.
     */
    Check burst(final long kilobits) {
        final double passed = passed(2 * kilobits, Duration.ZERO, BURST_LENGTH);
        final var figure = new Figure("burst", Math.round(passed), Unit.KILOBITS);
        return passed >= 0.8 * kilobits && passed <= 1.5 * kilobits ? Check.works(Name.METER_BURST, figure)
            : Check.fails(Name.METER_BURST, "a bucket of " + kilobits + " kbit passes " + figure.value() + " at once",
                figure);
    }

    /**
     * Returns how many kilobits pass the meter.
     *
     * @param kilobits offered in a second, or at once if there is no time
     * @param length of each frame, octets
     */
    private double passed(final long kilobits, final Duration over, final int length) {
        final double kilobitsOfFrame = length * Byte.SIZE / BITS_OF_KILOBIT;
        final int count = (int) (kilobits * Math.max(1, over.toSeconds()) / kilobitsOfFrame);
        return Scratch.await(wire.send(Collections.nCopies(count, frame(length)), count, over)).size()
            * kilobitsOfFrame;
    }

    /** A frame that is so long with what the wire puts behind it. */
    private static byte[] frame(final int length) {
        return ScratchFlows.probe(METERED, length - ProbeWire.TAG_LENGTH);
    }

    private static Bucket bucket(final long port, final MacAddress mark) {
        return new Bucket(port, List.of(new Action.SetEthernetDestination(mark), new Action.OutputToController()));
    }

    private Optional<String> failure(final Trial trial) {
        final var came = Scratch.await(wire.send(List.of(trial.frame()), trial.expected().size(), Duration.ZERO));
        if (came.equals(trial.expected())) {
            return Optional.empty();
        }
        return Optional.of(came.isEmpty() ? "the packet did not come back"
            : "the packet came back otherwise than its entries say: " + came + ", not " + trial.expected());
    }
}
