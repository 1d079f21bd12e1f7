// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.MacAddress;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.qualify.Check.Name;
import io.sluice.southbound.qualify.Qualification.Ports;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;

/** Checks that send probes through the tables. */
final class PacketChecks {
    private static final MacAddress LOOPED = ScratchFlows.mac(3);
    private static final MacAddress GROUPED = ScratchFlows.mac(4);
    private static final MacAddress BY_DOWN_PORT = ScratchFlows.mac(5);
    private static final MacAddress BY_UP_PORT = ScratchFlows.mac(6);
    private static final long GROUP = Scratch.OWNER.groupId(0);

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
            List.of(ScratchFlows.probe(LOOPED, new Action.OutputToController())));
        return refusal.map(reason -> Check.fails(Name.PACKET_LOOP, reason)).orElseGet(() ->
            latencies.measure(Name.PACKET_LOOP, i -> arrives(LOOPED, LOOPED)));
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
            ScratchFlows.probe(GROUPED, new Action.ToGroup(GROUP)));
        return scratch.unsupported(entries).map(reason -> Check.notSupported(Name.FAILOVER_LIVENESS, reason))
            .or(() -> scratch.change(Kind.ADD, entries).or(() -> arrives(GROUPED, BY_UP_PORT))
                .map(reason -> Check.fails(Name.FAILOVER_LIVENESS, reason)))
            .orElseGet(() -> Check.works(Name.FAILOVER_LIVENESS));
    }

    private static Bucket bucket(final long port, final MacAddress mark) {
        return new Bucket(port, List.of(new Action.SetEthernetDestination(mark), new Action.OutputToController()));
    }

    private Optional<String> arrives(final MacAddress to, final MacAddress expected) {
        try {
            final var came = wire.send(to).toCompletableFuture().join();
            return came.equals(expected) ? Optional.empty()
                : Optional.of("the packet took another way than its entries say");
        } catch (CompletionException e) {
            return Optional.of("the packet did not come back");
        }
    }
}
