// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What flows carried from review to review, in the last two intervals. */
final class ReviewedRates {
    private final Map<Long, Seen> seen = new HashMap<>();

    /**
     * A flow.
     *
     * @param last what it had carried at the last review
     * @param intervals the last ones in which it did not move, at most two, the latest at the end
     */
    private record Seen(Usage last, List<Usage> intervals) { }

    /** Takes note of all flows, which were sampled just now. */
    void note(final Collection<FlowState> flows) {
        seen.keySet().retainAll(flows.stream().map(flow -> flow.record().id()).collect(Collectors.toSet()));
        flows.forEach(flow -> seen.compute(flow.record().id(), (id, before) -> after(flow, before)));
    }

    /**
     * What those of {@code flows} that carry something carried, by id: in the better of the two intervals, so that a
     * flow that ended within the last one does not count as slow.
     *
     * @return nothing if a flow has moved, or begun, too lately to be judged
     */
    Optional<Map<Long, Usage>> of(final Collection<FlowState> flows) {
        final var measured = new TreeMap<Long, Usage>();
        for (var flow : flows) {
            final var intervals = Optional.ofNullable(seen.get(flow.record().id())).map(Seen::intervals)
                .orElse(List.of());
            final boolean carries = intervals.size() == 2 && carries(intervals.getLast());
            if (intervals.size() < 2 || carries && !carries(intervals.getFirst())) {
                return Optional.empty();
            }
            if (carries) {
                measured.put(flow.record().id(),
                    intervals.stream().max(Comparator.comparing(Usage::rate)).orElseThrow());
            }
        }
        return Optional.of(measured);
    }

    /** What a flow carried in the last interval, if it stayed where it was for that long. */
    Optional<Usage> last(final long id) {
        return Optional.ofNullable(seen.get(id)).filter(known -> !known.intervals().isEmpty())
            .map(known -> known.intervals().getLast());
    }

    private static boolean carries(final Usage interval) {
        return interval.rate().bitsPerSecond() > 0;
    }

    private static Seen after(final FlowState flow, final Seen before) {
        final var now = flow.usage();
        if (before == null || flow.movedNs() >= before.last().sampledNs()) {
            return new Seen(now, List.of());
        }
        if (now.sampledNs() == before.last().sampledNs()) {
            return before;
        }
        final var interval = before.last().sampled(now.forward(), now.backward(), now.sampledNs());
        return new Seen(interval, before.intervals().isEmpty() ? List.of(interval)
            : List.of(before.intervals().getLast(), interval));
    }
}
