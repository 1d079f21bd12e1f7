// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.multipath.engine.MultipathEvents.MoveCause;
import io.sluice.multipath.engine.SlotSplit.Part;
import io.sluice.multipath.engine.SlotSplit.Place;
import io.sluice.multipath.placement.Move;
import io.sluice.multipath.placement.Strategy;
import io.sluice.multipath.placement.Way;
import io.sluice.multipath.placement.Weighing;
import io.sluice.multipath.slots.SlotBalance;
import io.sluice.multipath.slots.SlotMask;
import io.sluice.multipath.slots.SlotShares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures at each review how the slots that a server has of a switch's clients are split over the paths between the
 * two, and corrects it: what carries something by its rate, what carries nothing by the number of slots.
 */
final class SlotSplits {
    private final LongSupplier nowNs;
    private final FlowBook book;
    private final Measurements measurements;
    private final Decisions decisions;
    private final PlacedFlows flows;
    private List<SlotSplit> splits = List.of();

    /** The slots of one place, the ways that they may take and which they do. */
    private record Group(List<FlowState> flows, List<Way> ways, int[] current, List<Optional<Bandwidth>> rates) {
        boolean isMeasured() {
            return rates.stream().allMatch(Optional::isPresent);
        }

        double[] values() {
            return rates.stream().mapToDouble(rate -> rate.orElse(Bandwidth.ZERO).bitsPerSecond()).toArray();
        }
    }

    SlotSplits(final LongSupplier nowNs, final FlowBook book, final Measurements measurements,
            final Decisions decisions, final PlacedFlows flows) {
        this.nowNs = nowNs;
        this.book = book;
        this.measurements = measurements;
        this.decisions = decisions;
        this.flows = flows;
    }

    /** The splits as the last review saw them. */
    Collection<SlotSplit> all() {
        return splits;
    }

    /** Measures and corrects, {@code regardless} of when slots moved last; returns how many it moved. */
    int review(final FabricSnapshot snapshot, final boolean regardless) {
        final var seen = new ArrayList<SlotSplit>();
        int moved = 0;
        for (var place : places().entrySet()) {
            final var group = group(place.getValue(), snapshot);
            if (!group.ways().isEmpty()) {
                final int[] after = corrected(group, regardless);
                seen.add(new SlotSplit(place.getKey(), parts(group, after)));
                moved += move(group, after);
            }
        }
        splits = List.copyOf(seen);
        return moved;
    }

    private Map<Place, List<FlowState>> places() {
        return book.slots().stream().filter(flow -> !flow.forward().links().isEmpty())
            .collect(Collectors.groupingBy(SlotSplits::place, () -> new TreeMap<>(
                Comparator.comparing(Place::toString)), Collectors.toList()));
    }

    private static Place place(final FlowState flow) {
        final var record = flow.record();
        return new Place(record.purpose().service().orElseThrow(), record.key().targetPort().getAsInt(),
            record.clientSide(), record.purpose().server().orElseThrow());
    }

    private Group group(final List<FlowState> slots, final FabricSnapshot snapshot) {
        final var any = slots.getFirst();
        final var record = any.record();
        final var ways = decisions.spread(book.without(slots, snapshot), record.clientSide(), record.serverSide(),
            Reviews.strategy(any), SlotMask.count(record.key().clients()));
        return new Group(slots, ways, slots.stream().mapToInt(slot -> Slots.wayOf(slot, ways)).toArray(),
            slots.stream().map(slot -> measurements.rate(slot.record().id())).toList());
    }

    private int[] corrected(final Group group, final boolean regardless) {
        if (Reviews.strategy(group.flows().getFirst()) != Strategy.JOINT) {
            return group.current();
        }
        final long holdNs = decisions.config().placer().holdNs();
        final boolean[] movable = new boolean[group.flows().size()];
        final boolean[] idle = new boolean[movable.length];
        for (int i = 0; i < movable.length; i++) {
            movable[i] = regardless || nowNs.getAsLong() - group.flows().get(i).movedNs() >= holdNs;
            idle[i] = movable[i] && group.rates().get(i).filter(Bandwidth.ZERO::equals).isPresent();
        }
        final long[] weights = Slots.weights(group.ways());
        final int[] counted = counted(group.current(), idle, SlotShares.counts(weights, movable.length));
        return !group.isMeasured() ? counted : SlotBalance.corrected(group.values(), counted, movable, weights,
            decisions.config().placer().leastGainPpm() / 1e6);
    }

    /** Shares the idle slots out anew if a path has more than one slot too many. */
    private static int[] counted(final int[] current, final boolean[] idle, final int[] counts) {
        final int[] present = present(current, counts.length);
        if (IntStream.range(0, counts.length).noneMatch(way -> present[way] > counts[way] + 1)) {
            return current;
        }
        final int[] shared = SlotShares.assign(current, idle, counts);
        return IntStream.range(0, current.length).map(i -> idle[i] ? shared[i] : current[i]).toArray();
    }

    private static int[] present(final int[] places, final int ways) {
        final int[] present = new int[ways];
        Arrays.stream(places).filter(way -> way != SlotShares.NONE).forEach(way -> present[way]++);
        return present;
    }

    private int move(final Group group, final int[] after) {
        int moved = 0;
        for (int i = 0; i < after.length; i++) {
            if (after[i] != group.current()[i] && after[i] != SlotShares.NONE) {
                final var flow = group.flows().get(i);
                final var way = group.ways().get(after[i]);
                final var move = new Move(flow.record().id(), way.forward(), way.backward(),
                    group.rates().get(i).orElse(Bandwidth.ZERO), Bandwidth.ZERO, Optional.empty(),
                    Weighing.told(group.ways().size(), "the paths carried other shares than their weights"));
                moved += flows.move(flow, Reviews.assignment(move, flow), MoveCause.SPLIT_CORRECTED) ? 1 : 0;
            }
        }
        return moved;
    }

    /** Slots as they are now, shares as they were measured before. */
    private static List<Part> parts(final Group group, final int[] after) {
        final double weights = Arrays.stream(Slots.weights(group.ways())).sum();
        final double[] rates = group.values();
        final double carried = Arrays.stream(rates).sum();
        final int[] present = present(after, group.ways().size());
        return IntStream.range(0, group.ways().size()).mapToObj(way -> {
            final double onIt = IntStream.range(0, rates.length).filter(i -> group.current()[i] == way)
                .mapToDouble(i -> rates[i]).sum();
            return new Part(group.ways().get(way).forward(), present[way],
                weights == 0 ? 1.0 / present.length : group.ways().get(way).weight() / weights,
                group.isMeasured() && carried > 0 ? Optional.of(onIt / carried) : Optional.empty());
        }).toList();
    }
}
