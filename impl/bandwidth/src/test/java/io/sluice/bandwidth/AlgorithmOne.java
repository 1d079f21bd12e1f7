// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.AllocatableLink.Role;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Lines 17 to 29 of the paper's Algorithm 1, line by line, with bisection for problems (3) and (4): the slow reference
 * for {@link AppAware}. For flows with one path, a report with positive volume and consumption, and nothing else. Two
 * readings of the paper are those of {@link AppAware}: from which load on a link is bottlenecked, and that all overfull
 * links are scaled.
 */
final class AlgorithmOne {
    private static final int HALVINGS = 200;

    private final Instance instance;
    private final double[] up;
    private final double[] down;

    AlgorithmOne(final Instance instance) {
        this.instance = instance;
        up = unbounded();
        down = unbounded();
    }

    double[] rates() {
        for (int link = 0; link < instance.available.length; link++) {
            final var role = instance.links.get(link).role();
            if (bottlenecked(link) && role != Role.INTERNAL) {
                solve(link, role == Role.UPLINK ? up : down, role == Role.UPLINK);
            }
        }
        final var rates = new double[up.length];
        for (int flow = 0; flow < rates.length; flow++) {
            rates[flow] = Math.min(up[flow], down[flow]);
            if (rates[flow] == Double.POSITIVE_INFINITY) {
                rates[flow] = toSend(flow);
            }
        }
        final var scaled = rates.clone();
        for (int link = 0; link < instance.available.length; link++) {
            final double load = instance.crossings.load(link, rates);
            if (load > instance.available[link]) {
                for (final int flow : instance.crossings.flowsOn(link)) {
                    scaled[flow] = Math.min(scaled[flow], rates[flow] * instance.available[link] / load);
                }
            }
        }
        return scaled;
    }

    private void solve(final int link, final double[] shares, final boolean forks) {
        final int[] flows = instance.crossings.flowsOn(link);
        final double level = bisect(instance.available[link], candidate -> Arrays.stream(flows)
            .mapToDouble(flow -> share(flow, candidate, forks)).sum());
        for (final int flow : flows) {
            shares[flow] = share(flow, level, forks);
        }
    }

    /** The x at which the ratio in (3) or (4) is {@code ratio}, or 0 if it is larger already. */
    private double share(final int flow, final double ratio, final boolean forks) {
        final var report = instance.flows.get(flow).report().orElseThrow();
        return forks ? toSend(flow) * ratio : Math.max(0, 8 / instance.intervalS
            * ((report.transferred() - report.receiverAfter() + report.receiverBefore()) * ratio
                - report.receiverAfter()));
    }

    private double toSend(final int flow) {
        final var report = instance.flows.get(flow).report().orElseThrow();
        return (report.transferred() + 2 * report.senderAfter() - report.senderBefore()) * 8 / instance.intervalS;
    }

    private boolean bottlenecked(final int link) {
        return Arrays.stream(instance.crossings.flowsOn(link)).mapToDouble(this::toSend).sum()
            >= 0.95 * instance.available[link];
    }

    private static double bisect(final double wanted, final DoubleUnaryOperator rising) {
        double least = 0;
        double most = 1;
        while (rising.applyAsDouble(most) < wanted) {
            most *= 2;
        }
        for (int i = 0; i < HALVINGS; i++) {
            final double middle = (least + most) / 2;
            if (rising.applyAsDouble(middle) < wanted) {
                least = middle;
            } else {
                most = middle;
            }
        }
        return least;
    }

    private double[] unbounded() {
        final var shares = new double[instance.need.length];
        Arrays.fill(shares, Double.POSITIVE_INFINITY);
        return shares;
    }
}
