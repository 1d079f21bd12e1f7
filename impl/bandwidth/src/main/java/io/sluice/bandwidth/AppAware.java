// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static io.sluice.bandwidth.AllocatableLink.Role.DOWNLINK;
import static io.sluice.bandwidth.AllocatableLink.Role.INTERNAL;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Algorithm 1 of Aljoby et al., On SDN-Enabled Online and Dynamic Bandwidth Allocation for Stream Analytics, IEEE JSAC
 * 37(8), 2019, over the links and flows that are bottlenecked.
 *
 * <ol>
 * <li>Each bottlenecked uplink is shared by problem (3): in proportion to the bytes that wait and come.
 * <li>Each bottlenecked downlink is shared by problem (4): so that the fullest receiver queue, counted in intervals of
 *     its consumption, is smallest.
 * <li>A flow has the smaller of the two (line 22), one without either its demand, or what its path would carry if that
 *     is unknown.
 * <li>Links that are still overfull scale their flows down; the smallest factor of a flow counts (lines 24 to 29).
 * <li>What is left goes to flows in proportion to what they have: backfilling (section VI-C).
 * </ol>
 *
 * <p>Where the paper is silent: a link is bottlenecked if demands reach {@link #BOTTLENECK} of it. Any overfull link is
 * scaled, not internal ones alone, for (4) may give a flow more than its demand. Guarantees, limits and the flows'
 * weights are bounds and factors of (3) and (4). Weights of applications and tenants count for nothing. Zero or
 * contradictory volume and consumption are raised to {@link Instance#LEAST_NEED} of the mean. Scaling spares
 * guarantees, and every active flow has {@link Instance#least} in the end.
 */
public final class AppAware implements Policy {
    /** A link this full has queues. */
    private static final double BOTTLENECK = 0.95;
    /** Speed of a flow that has nothing yet, in relation to its need, when what is left is shared. */
    private static final double LEAST_SPEED = 1e-6;

    private final double leastShare;

    /** A policy with these least shares, 0..1; 0 is the paper to the letter. */
    AppAware(final double leastShare) {
        this.leastShare = leastShare;
    }

    public AppAware() {
        this(Instance.LEAST_SHARE);
    }

    @Override
    public Allocation allocate(final Round round) {
        return Instance.answer(round, leastShare, instance -> {
            final var rates = beforeBackfilling(instance);
            final var filling = new ProgressiveFilling(instance, rates);
            final var speeds = IntStream.range(0, rates.length)
                .mapToDouble(flow -> Math.max(rates[flow], LEAST_SPEED * instance.need[flow])).toArray();
            Leftovers.share(instance, filling, speeds);
            return Rounding.answer(instance, rates, filling.bindingLinks());
        });
    }

    /** Lines 17 to 29: rates in bit/s. */
    static double[] beforeBackfilling(final Instance instance) {
        final var shares = new double[instance.need.length];
        Arrays.fill(shares, Double.POSITIVE_INFINITY);
        for (int link = 0; link < instance.available.length; link++) {
            if (instance.links.get(link).role() != INTERNAL && bottlenecked(instance, link)) {
                takeSmaller(instance, link, shares);
            }
        }
        for (int flow = 0; flow < shares.length; flow++) {
            if (instance.idle[flow]) {
                shares[flow] = instance.guarantee[flow];
            } else if (shares[flow] == Double.POSITIVE_INFINITY) {
                final double wanted = instance.wanted[flow];
                shares[flow] = wanted == Double.POSITIVE_INFINITY ? whole(instance, flow) : wanted;
            }
        }
        Scaling.scale(instance, shares, instance.guarantee);
        Scaling.lift(instance, shares);
        return shares;
    }

    private static boolean bottlenecked(final Instance instance, final int link) {
        final var crossings = instance.crossings;
        double wanted = 0;
        for (int at = crossings.firstFlow[link]; at < crossings.firstFlow[link + 1]; at++) {
            wanted += instance.wanted[crossings.flowAt[at]] * crossings.flowPart[at];
        }
        return wanted >= BOTTLENECK * instance.available[link];
    }

    /** Solves problem (3) or (4) of a link and lowers {@code shares} to the solution. */
    private static void takeSmaller(final Instance instance, final int link, final double[] shares) {
        final var crossings = instance.crossings;
        final int[] active = IntStream.range(crossings.firstFlow[link], crossings.firstFlow[link + 1])
            .filter(at -> !instance.idle[crossings.flowAt[at]]).toArray();
        final int[] flows = IntStream.of(active).map(at -> crossings.flowAt[at]).toArray();
        final double[] parts = of(active, at -> crossings.flowPart[at]);
        final boolean joins = instance.links.get(link).role() == DOWNLINK;
        final double[] slopes = times(parts, joins ? consumption(instance, flows)
            : of(flows, flow -> instance.need[flow]));
        final double[] offsets = times(parts, of(flows, flow -> joins ? backlog(instance, flow) : 0));
        final double[] highest = times(parts, of(flows, flow -> instance.limit[flow]));
        final double[] lowest = times(parts, of(flows, flow -> instance.least[flow]));
        final double reserved = crossings.load(link, instance.least) - Arrays.stream(lowest).sum();
        final double[] solved = new Waterline(slopes, offsets, lowest, highest)
            .fill(instance.available[link] - reserved);
        for (int i = 0; i < flows.length; i++) {
            shares[flows[i]] = Math.min(shares[flows[i]], solved[i] / parts[i]);
        }
    }

    /** Denominators of problem (4) in bit/s, with stand-ins for those that are unknown or not positive. */
    private static double[] consumption(final Instance instance, final int[] flows) {
        final double mean = Arrays.stream(of(flows, flow -> consumed(instance, flow, 0)))
            .filter(rate -> rate > 0).average().orElse(0);
        return of(flows, flow -> {
            final double typical = mean > 0 ? mean : instance.need[flow] / instance.flows.get(flow).weight();
            return Math.max(consumed(instance, flow, typical), Instance.LEAST_NEED * typical)
                * instance.flows.get(flow).weight();
        });
    }

    private static double consumed(final Instance instance, final int flow, final double unknown) {
        return instance.flows.get(flow).report().map(told -> instance.rate(told.consumed())).orElse(unknown);
    }

    /** Queue at the receiver as the rate that would make it in an interval. */
    private static double backlog(final Instance instance, final int flow) {
        return instance.flows.get(flow).report().map(told -> instance.rate(told.receiverAfter())).orElse(0.0);
    }

    /** What the path alone would carry. */
    private static double whole(final Instance instance, final int flow) {
        final var crossings = instance.crossings;
        return IntStream.range(crossings.firstLink[flow], crossings.firstLink[flow + 1])
            .mapToDouble(at -> instance.available[crossings.linkAt[at]] / crossings.linkPart[at]).min().orElseThrow();
    }

    private static double[] times(final double[] parts, final double[] values) {
        return IntStream.range(0, parts.length).mapToDouble(i -> parts[i] * values[i]).toArray();
    }

    private static double[] of(final int[] indices, final IntToDoubleFunction value) {
        return Arrays.stream(indices).mapToDouble(value).toArray();
    }
}
