// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Fairness between applications by priorities that change (the same paper, section VII): applications of similar
 * throughput are a group, and the group of least throughput goes first on every link. Inside a group, flows share as in
 * {@link MaxMinRates}; a group takes what the ones before it leave of its demand.
 *
 * <p>Made for queues of strict priority: a flow of a late group may get nothing for a round, and its application is
 * then early in the next. Groups are cut where sorted throughputs are far apart: with 8 levels by more than 1/8 of
 * their range, so that there are 8 at most, and by more than 1/20 of the largest, so that equals stay together. If none
 * are that far apart though the ends are, a group spans as much at most.
 */
public final class AppFair implements Policy {
    /** Most priority levels: queues of a port. */
    public static final int MAX_LEVELS = 8;
    private static final double SIMILAR = 0.05;

    private final Map<ApplicationId, Throughput> history;
    private final int alphaPpm;
    private final int levels;

    /**
     * The policy after a history.
     *
     * @param history of applications; one that is absent has just begun
     * @param alphaPpm weight of the mean of all time against the last interval, in millionths, 0..10^6
     * @param levels how many there are, 1..{@link #MAX_LEVELS}
     */
    public AppFair(final Map<ApplicationId, Throughput> history, final int alphaPpm, final int levels) {
        if (alphaPpm < 0 || alphaPpm > 1_000_000) {
            throw new IllegalArgumentException("alpha of " + alphaPpm + " ppm is not in 0..10^6");
        }
        if (levels < 1 || levels > MAX_LEVELS) {
            throw new IllegalArgumentException(levels + " levels are not in 1.." + MAX_LEVELS);
        }
        this.history = Map.copyOf(history);
        this.alphaPpm = alphaPpm;
        this.levels = levels;
    }

    /** The priority of each of {@code applications}, those that have something to send: 0 goes first. */
    public Map<ApplicationId, Integer> levels(final List<ApplicationId> applications) {
        final var byScore = applications.stream().sorted(Comparator.comparingDouble(this::score)).toList();
        final var apart = cut(byScore, false);
        return apart.containsValue(1) ? apart : cut(byScore, true);
    }

    /** Cuts where it is far from the one before, or from the first of the group. */
    private Map<ApplicationId, Integer> cut(final List<ApplicationId> byScore, final boolean fromFirst) {
        final var given = new HashMap<ApplicationId, Integer>();
        if (byScore.isEmpty()) {
            return given;
        }
        final double least = score(byScore.getFirst());
        final double most = score(byScore.getLast());
        final double similar = Math.max((most - least) / levels, most * SIMILAR);
        int level = 0;
        double from = least;
        for (final var application : byScore) {
            final double score = score(application);
            final boolean isFar = score - from > similar;
            level += isFar ? 1 : 0;
            from = isFar || !fromFirst ? score : from;
            given.put(application, level);
        }
        return given;
    }

    private double score(final ApplicationId application) {
        return history.getOrDefault(application, Throughput.NONE).score(alphaPpm);
    }

    @Override
    public Allocation allocate(final Round round) {
        return Instance.answer(round, 0, this::fill);
    }

    private Allocation fill(final Instance instance) {
        final var rates = instance.guarantee.clone();
        final var filling = new ProgressiveFilling(instance, rates);
        final var weights = MaxMinRates.weights(instance);
        final int[] active = instance.activeFlows;
        final var levelOf = levels(Arrays.stream(active).map(flow -> instance.applicationOf[flow]).distinct()
            .mapToObj(instance.applications::get).toList());
        IntStream.range(0, levels).mapToObj(level -> Arrays.stream(active).filter(flow ->
            levelOf.get(instance.applications.get(instance.applicationOf[flow])) == level).toArray())
            .forEach(flows -> MaxMinRates.fill(instance, filling, flows, weights));
        Leftovers.share(instance, filling, weights);
        return Rounding.answer(instance, rates, filling.bindingLinks());
    }
}
