// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.api.Entry.Flow;
import io.sluice.api.Pipeline;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.qualify.Check.Figure;
import io.sluice.southbound.qualify.Check.Name;
import io.sluice.southbound.qualify.Check.Unit;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** Checks of the flow tables. */
final class FlowChecks {
    private static final int MANY = 1000;
    private static final long NS_PER_S = 1_000_000_000;
    private static final long NS_PER_US = 1000;

    private final Scratch scratch;
    private final LongSupplier nowNs;
    private final Latencies latencies;

    FlowChecks(final Scratch scratch, final LongSupplier nowNs) {
        this.scratch = scratch;
        this.nowNs = nowNs;
        latencies = new Latencies(nowNs);
    }

    Check tables() {
        final int tables = scratch.features().tables().number();
        final var figure = new Figure("tables", tables, Unit.ENTRIES);
        return tables > Pipeline.DELIVER ? Check.works(Name.TABLES, figure)
            : new Check(Name.TABLES, Check.Result.NOT_SUPPORTED, "Sluice needs " + (Pipeline.DELIVER + 1)
                + " tables, the switch has " + tables, List.of(figure));
    }

    Check barrier() {
        return latencies.measure(Name.BARRIER, i -> scratch.change(Kind.ADD, List.of()));
    }

    Check add() {
        return latencies.measure(Name.FLOW_ADD, i -> scratch.change(Kind.ADD, List.of(ScratchFlows.dropping(i))));
    }

    Check modify() {
        return latencies.measure(Name.FLOW_MODIFY, i ->
            scratch.change(Kind.REPLACE, List.of(ScratchFlows.reflecting(i))));
    }

    Check delete() {
        return latencies.measure(Name.FLOW_DELETE, i ->
            scratch.change(Kind.REMOVE, List.of(ScratchFlows.reflecting(i))));
    }

    /** Adds many entries with one barrier; they stay for {@link #readBack}. */
    Check rate() {
        final long start = nowNs.getAsLong();
        final var refusal = scratch.change(Kind.ADD, many());
        final long tookNs = Math.max(1, nowNs.getAsLong() - start);
        return refusal.map(reason -> Check.fails(Name.FLOW_RATE, reason)).orElseGet(() -> Check.works(Name.FLOW_RATE,
            new Figure("rate", MANY * NS_PER_S / tookNs, Unit.ENTRIES_PER_SECOND),
            new Figure("took", tookNs / NS_PER_US, Unit.MICROSECONDS),
            new Figure("entries", MANY, Unit.ENTRIES)));
    }

    Check readBack() {
        final long start = nowNs.getAsLong();
        final var difference = scratch.difference(many());
        final long tookUs = (nowNs.getAsLong() - start) / NS_PER_US;
        return difference.map(reason -> Check.fails(Name.READ_BACK, reason)).orElseGet(() ->
            Check.works(Name.READ_BACK, new Figure("took", tookUs, Unit.MICROSECONDS),
                new Figure("entries", MANY, Unit.ENTRIES)));
    }

    private static List<Flow> many() {
        return IntStream.range(0, MANY).mapToObj(ScratchFlows::dropping).toList();
    }
}
