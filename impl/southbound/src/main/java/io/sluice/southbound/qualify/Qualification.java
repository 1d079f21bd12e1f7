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

/** Measures what of Sluice works on one switch. Blocks until it is done, some seconds; one at a time for a switch. */
public final class Qualification {
    private static final long GROUP = Scratch.OWNER.groupId(0);
    private static final int METER = Scratch.OWNER.meterNumber(0);

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
            checks.add(holds(Name.MATCH_LABEL, ScratchFlows.label()));
            checks.add(holds(Name.MATCH_IPV4, ScratchFlows.ipv4Connections()));
            checks.add(holds(Name.MATCH_IPV6, ScratchFlows.ipv6Connections()));
            checks.add(holds(Name.MATCH_SLOT_IPV4, ScratchFlows.ipv4Slot()));
            checks.add(holds(Name.MATCH_SLOT_IPV6, ScratchFlows.ipv6Slot()));
            checks.add(holds(Name.SET_ETHERNET, ScratchFlows.setEthernet()));
            checks.add(holds(Name.SET_IPV4, ScratchFlows.setIpv4()));
            checks.add(holds(Name.SET_IPV6, ScratchFlows.setIpv6()));
            checks.add(holds(Name.ANSWER_ARP, ScratchFlows.answerArp()));
            checks.add(holds(Name.ASK_BACK, ScratchFlows.askBack()));
            checks.add(cleared(packets::loop));
            checks.add(failoverGroup());
            checks.add(cleared(() -> packets.liveness(ports)));
            checks.add(meter(Name.METER_KILOBITS, MeterUnit.KILOBITS));
            checks.add(meter(Name.METER_PACKETS, MeterUnit.PACKETS));
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
            List.of(new FailoverGroup(GROUP, List.of(bucket, bucket))));
    }

    private Check meter(final Name name, final MeterUnit unit) {
        final Flow user = ScratchFlows.dropping(0).meteredBy(METER);
        return changes(name, List.of(new Meter(METER, unit, 1000, 100), user),
            List.of(new Meter(METER, unit, 2000, 200), user));
    }

    /** Adds entries and reads them back. */
    private Check holds(final Name name, final List<Flow> entries) {
        return changes(name, entries, entries);
    }

    /** Adds {@code before}, changes it to {@code after}, which has the same keys, and reads that back. */
    private Check changes(final Name name, final List<? extends Entry> before, final List<? extends Entry> after) {
        return scratch.unsupported(after).map(reason -> Check.notSupported(name, reason)).orElseGet(() ->
            cleared(() -> scratch.change(Kind.ADD, before).or(() -> scratch.change(Kind.REPLACE, after))
                .or(() -> scratch.difference(after))
                .map(reason -> Check.fails(name, reason)).orElseGet(() -> Check.works(name))));
    }

    private Check cleared(final Supplier<Check> check) {
        final var found = check.get();
        scratch.clear();
        return found;
    }
}
