// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.SwitchId;
import io.sluice.multipath.placement.FairShares.Channel;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The best way for flows without inverse multiplexing: all that have the same two edge switches take one path. Servers
 * stay as they are, so that flows from k edges still come over k paths, which may share links; of all such choices the
 * one under which the flows get most together. Exact for one pair of edges; of several, each takes its best response in
 * turn.
 */
final class SinglePath {
    /** So many paths of a pair are evaluated, the best by estimate. */
    private static final int SHORTLIST = 16;
    private static final int ROUNDS = 2;

    private final FairShares shares;
    private final List<Reviewable> flows;
    private final Map<Ends, Option> chosen = new HashMap<>();

    /** Two edge switches. */
    record Ends(SwitchId client, SwitchId server) {
        static Ends of(final Reviewable flow) {
            return new Ends(flow.clientEdge(), flow.serverEdge());
        }
    }

    /** Begins with {@code shares}, which lacks {@code flows}. */
    SinglePath(final FairShares shares, final List<Reviewable> flows) {
        this.shares = shares;
        this.flows = flows;
    }

    /** Chooses a path for each pair, which has at least one option. */
    void choose(final Map<Ends, List<Option>> options) {
        final var shortlists = new LinkedHashMap<Ends, List<Option>>();
        options.forEach((ends, all) -> shortlists.put(ends, all.stream().sorted(Comparator.comparingDouble(
            (Option option) -> -shares.estimate(shares.channel(option.forward(), option.backward(), Optional.empty()))))
            .limit(SHORTLIST).toList()));
        for (int round = 0; round < Math.min(ROUNDS, options.size()); round++) {
            shortlists.forEach((ends, shortlist) -> chosen.put(ends, best(ends, shortlist)));
        }
    }

    private Option best(final Ends ends, final List<Option> shortlist) {
        final double[] totals = shortlist.stream().mapToDouble(option -> total(ends, option)).toArray();
        return shortlist.get(IntStream.range(0, totals.length).reduce((one, other) ->
            totals[other] > totals[one] ? other : one).orElseThrow());
    }

    Option option(final Reviewable flow) {
        return chosen.get(Ends.of(flow));
    }

    /** Adds the flows to the shares, in order, as far as a path is chosen for them; returns their channels. */
    List<Channel> add() {
        final var channels = flows.stream().filter(flow -> chosen.containsKey(Ends.of(flow))).map(flow ->
            shares.channel(option(flow).forward(), option(flow).backward(), flow.flow().limit())).toList();
        channels.forEach(shares::add);
        return channels;
    }

    private double total(final Ends ends, final Option option) {
        chosen.put(ends, option);
        final var channels = add();
        final var filled = shares.fill(channels);
        channels.forEach(shares::remove);
        return channels.stream().mapToDouble(channel -> filled.get(channel).rate()).sum();
    }
}
