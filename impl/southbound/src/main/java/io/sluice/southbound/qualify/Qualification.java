// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Flow;
import io.sluice.api.Entry.Meter;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.program.SwitchSession;
import io.sluice.southbound.qualify.Check.Name;
import io.sluice.southbound.qualify.Scratch.NoAnswerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Measures what of Sluice works on one switch. Blocks until it is done, less than a minute; one at a time for a switch.
 */
public final class Qualification {
    private static final long GROUP = Scratch.OWNER.groupId(0);
    private static final int METER = Scratch.OWNER.meterNumber(0);
    /** Of full length; switches may not have finer rates. */
    private static final long KILOBITS_OF_FIVE_PACKETS = 64;
    private static final long TWENTY_PACKETS = 20;
    private static final long RATE_KILOBITS = 256;
    /** Empty in less than a second at twice the rate; deep enough that a pause of the sender costs nothing. */
    private static final long BUCKET_KILOBITS = 192;
    private static final long BURST_KILOBITS = 128;
    private static final long SLOW_KILOBITS = 64;

    private final Scratch scratch;
    private final Ports ports;
    private final FlowChecks flows;
    private final PacketChecks packets;

    /** Numbers of two ports of the switch, where it has them. */
    public record Ports(Optional<Long> up, Optional<Long> down) { }

    /** How a measurement ended. */
    public sealed interface Outcome {
        record Measured(Report report) implements Outcome { }

        /** The switch went away or stopped to answer; entries may be left, which the next measurement removes. */
        record Aborted(String reason) implements Outcome { }
    }

    /**
     * Prepares a measurement.
     *
     * @param nowNs monotonic time
     */
    public Qualification(final SwitchSession session, final ProbeWire wire, final Ports ports,
            final LongSupplier nowNs) {
        this.ports = ports;
        scratch = new Scratch(session);
        flows = new FlowChecks(scratch, nowNs);
        packets = new PacketChecks(scratch, wire, nowNs);
    }

    /** Measures. */
    public Outcome run() {
        final var checks = new ArrayList<Check>();
        try {
            scratch.clear();
            checks.add(flows.tables());
            checks.add(flows.barrier());
            checks.add(flows.add());
            checks.add(flows.modify());
            checks.add(cleared(flows::delete));
            checks.add(flows.rate());
            checks.add(cleared(flows::readBack));
            checks.add(cleared(packets::loop));
            checks.add(works(Name.SET_ETHERNET, Experiments.setEthernet()));
            checks.add(works(Name.MATCH_LABEL, Experiments.label()));
            checks.add(works(Name.MATCH_IPV4, Experiments.ipv4Connections()));
            checks.add(works(Name.MATCH_IPV6, Experiments.ipv6Connections()));
            checks.add(works(Name.MATCH_SLOT_IPV4, Experiments.ipv4Slot()));
            checks.add(works(Name.MATCH_SLOT_IPV6, Experiments.ipv6Slot()));
            checks.add(works(Name.SET_IPV4, Experiments.setIpv4()));
            checks.add(works(Name.SET_IPV6, Experiments.setIpv6()));
            checks.add(works(Name.CODE_POINT_IPV4, Experiments.codePointIpv4()));
            checks.add(works(Name.CODE_POINT_IPV6, Experiments.codePointIpv6()));
            checks.add(works(Name.ANSWER_ARP, Experiments.answerArp()));
            checks.add(works(Name.ASK_BACK, Experiments.askBack()));
            checks.add(failoverGroup());
            checks.add(cleared(() -> packets.liveness(ports)));
            checks.add(meter(Name.METER_KILOBITS, MeterUnit.KILOBITS, KILOBITS_OF_FIVE_PACKETS));
            checks.add(meter(Name.METER_PACKETS, MeterUnit.PACKETS, TWENTY_PACKETS));
            checks.add(metered(Name.METER_RATE, RATE_KILOBITS, BUCKET_KILOBITS, () -> packets.rate(RATE_KILOBITS)));
            checks.add(metered(Name.METER_BURST, SLOW_KILOBITS, BURST_KILOBITS, () -> packets.burst(BURST_KILOBITS)));
            return new Outcome.Measured(new Report(checks));
        } catch (NoAnswerException e) {
            return new Outcome.Aborted("after " + checks.size() + " checks: " + e.getMessage());
        }
    }

    private Check failoverGroup() {
        final var port = ports.up().or(ports::down);
        if (port.isEmpty()) {
            return Check.notMeasured(Name.FAILOVER_GROUP, "the switch has no port");
        }
        final var bucket = new Bucket(port.orElseThrow(), List.of(new Action.Output(port.orElseThrow())));
        return changes(Name.FAILOVER_GROUP, List.of(new FailoverGroup(GROUP, List.of(bucket))),
            List.of(new FailoverGroup(GROUP, List.of(bucket, bucket))), Optional::empty);
    }

    /** A meter is added, changed and read back, and then holds packets back. */
    private Check meter(final Name name, final MeterUnit unit, final long rate) {
        final Flow user = PacketChecks.metered(METER);
        return changes(name, List.of(new Meter(METER, unit, 2 * rate, 2 * rate), user),
            List.of(new Meter(METER, unit, rate, rate), user), packets::overload);
    }

    /** A meter is added for what {@code traffic} sends. */
    private Check metered(final Name name, final long rate, final long burst, final Supplier<Check> traffic) {
        final List<Entry> entries =
            List.of(new Meter(METER, MeterUnit.KILOBITS, rate, burst), PacketChecks.metered(METER));
        return scratch.unsupported(entries).map(reason -> Check.notSupported(name, reason)).orElseGet(() ->
            cleared(() -> scratch.change(Kind.ADD, entries).map(reason -> Check.fails(name, reason))
                .orElseGet(traffic)));
    }

    /** Entries are added and read back, and packets go as they say. */
    private Check works(final Name name, final Experiment experiment) {
        return changes(name, experiment.entries(), experiment.entries(), () -> packets.failure(experiment.trials()));
    }

    /**
     * Adds {@code before}, changes it to {@code after}, which has the same keys, reads that back, and asks {@code
     * traffic} why packets don't go accordingly.
     */
    private Check changes(final Name name, final List<? extends Entry> before, final List<? extends Entry> after,
            final Supplier<Optional<String>> traffic) {
        return scratch.unsupported(after).map(reason -> Check.notSupported(name, reason)).orElseGet(() ->
            cleared(() -> scratch.change(Kind.ADD, before).or(() -> scratch.change(Kind.REPLACE, after))
                .or(() -> scratch.difference(after)).or(traffic)
                .map(reason -> Check.fails(name, reason)).orElseGet(() -> Check.works(name))));
    }

    private Check cleared(final Supplier<Check> check) {
        final var found = check.get();
        scratch.clear();
        return found;
    }
}
