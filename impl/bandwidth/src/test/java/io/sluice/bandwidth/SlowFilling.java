// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Phases 2 and 3 of {@link AppMaxMin} as its documentation states them, with nothing clever: the time until the next
 * application stops is found by bisection, and an application stops if it alone can't go on.
 */
final class SlowFilling {
    private static final int HALVINGS = 200;
    private static final double NUDGE = 1e-7;

    private final Instance instance;
    /** What each flow has at least and at most. */
    private final double[] floors;
    private final double[] caps;
    private final double[] progress;
    private final boolean[] active;

    private SlowFilling(final Instance instance, final double[] floors, final double[] caps) {
        this.instance = instance;
        this.floors = floors;
        this.caps = caps;
        progress = new double[instance.applications.size()];
        active = new boolean[progress.length];
        Arrays.stream(instance.activeFlows).forEach(flow -> active[instance.applicationOf[flow]] = true);
    }

    /** Rates in bit/s after phase 2. */
    static double[] toDemand(final Instance instance) {
        return new SlowFilling(instance, instance.guarantee, instance.wanted).fill();
    }

    /** Rates in bit/s after phase 3. */
    static double[] toLimit(final Instance instance) {
        return new SlowFilling(instance, toDemand(instance), instance.limit).fill();
    }

    private double[] fill() {
        while (IntStream.range(0, active.length).anyMatch(application -> active[application])) {
            final double[] speed = speeds();
            double least = 0;
            double most = 1;
            while (fits(after(speed, most)) && !satisfied(after(speed, most))) {
                most *= 2;
            }
            for (int i = 0; i < HALVINGS; i++) {
                final double middle = (least + most) / 2;
                if (fits(after(speed, middle)) && !satisfied(after(speed, middle))) {
                    least = middle;
                } else {
                    most = middle;
                }
            }
            System.arraycopy(after(speed, least), 0, progress, 0, progress.length);
            stop();
        }
        return rates(progress);
    }

    private double[] after(final double[] speed, final double time) {
        return IntStream.range(0, progress.length)
            .mapToDouble(application -> progress[application] + speed[application] * time).toArray();
    }

    private void stop() {
        final boolean[] stuck = new boolean[active.length];
        for (int application = 0; application < active.length; application++) {
            final double[] more = progress.clone();
            more[application] = more[application] * (1 + NUDGE) + Double.MIN_NORMAL;
            stuck[application] = active[application] && (!fits(more) || satisfied(application, more));
        }
        for (int application = 0; application < active.length; application++) {
            active[application] &= !stuck[application];
        }
    }

    private double[] rates(final double[] reached) {
        return IntStream.range(0, instance.need.length).mapToDouble(flow -> instance.idle[flow] ? floors[flow]
            : Math.max(floors[flow], Math.min(caps[flow],
                instance.need[flow] * reached[instance.applicationOf[flow]]))).toArray();
    }

    private boolean fits(final double[] reached) {
        final double[] rates = rates(reached);
        return IntStream.range(0, instance.available.length)
            .allMatch(link -> instance.crossings.load(link, rates) <= instance.available[link] * (1 + 1e-12));
    }

    private boolean satisfied(final double[] reached) {
        return IntStream.range(0, active.length)
            .anyMatch(application -> active[application] && satisfied(application, reached));
    }

    private boolean satisfied(final int application, final double[] reached) {
        return Arrays.stream(instance.activeFlows).filter(flow -> instance.applicationOf[flow] == application)
            .allMatch(flow -> instance.need[flow] * reached[application] >= caps[flow]);
    }

    private double[] speeds() {
        final double[] shares = dominantShares(instance);
        return IntStream.range(0, active.length).mapToDouble(application -> {
            final int tenant = instance.tenantOf[application];
            final double sisters = IntStream.range(0, active.length)
                .filter(other -> active[other] && instance.tenantOf[other] == tenant)
                .mapToDouble(other -> instance.applicationWeight[other]).sum();
            return active[application] ? instance.tenantWeight[tenant] * instance.applicationWeight[application]
                / sisters / shares[application] : 0;
        }).toArray();
    }

    /** Of each application, the largest part of a link that its active flows need for all of their demand. */
    static double[] dominantShares(final Instance instance) {
        return IntStream.range(0, instance.applications.size()).mapToDouble(application -> {
            final double[] needs = IntStream.range(0, instance.need.length).mapToDouble(flow -> instance.idle[flow]
                || instance.applicationOf[flow] != application ? 0 : instance.need[flow]).toArray();
            return IntStream.range(0, instance.available.length)
                .mapToDouble(link -> instance.crossings.load(link, needs) / Math.max(1, instance.available[link]))
                .max().orElseThrow();
        }).toArray();
    }
}
