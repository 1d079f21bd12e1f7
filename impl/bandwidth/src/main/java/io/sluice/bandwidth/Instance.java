// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.Allocation.Refused;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A round by number: links, flows, applications and tenants are ints in the order of the round, rates are doubles in
 * bit/s. Immutable after construction, though its arrays are shared inside the package.
 */
final class Instance {
    /** Need of an active flow, at least, as part of the mean of its application: what is measured is noisy. */
    static final double LEAST_NEED = 0.01;
    /** What an active flow has at least of its narrowest link, as part of an equal share. */
    static final double LEAST_SHARE = 0.05;
    /** Of that, a flow may have so many bit/s though it wants less: its packets come one by one. */
    private static final double LEAST_USE = 8_000;
    /** Such a share is at least so many bit/s, if an equal one is: meters hold flows to whole kilobits. */
    private static final double LEAST_RATE = 2_000;

    final List<AllocatableLink> links;
    final List<FlowId> ids = new ArrayList<>();
    final List<Flow> flows = new ArrayList<>();
    final List<ApplicationId> applications = new ArrayList<>();
    final int[] tenantOf;
    final int[] applicationOf;
    final long[] tenantWeight;
    final long[] applicationWeight;
    final double intervalS;

    final double[] available;
    final Crossings crossings;

    final double[] guarantee;
    /** What guarantees put on each link, in bit/s. */
    final double[] guaranteed;
    /**
     * What each flow has in any case: its guarantee, or if that is more, an active one its least share of what
     * guarantees leave, as far as it has use for it and may have it. It overfills no link that guarantees do not.
     */
    final double[] least;
    /** Infinite if there is none. */
    final double[] limit;
    /** Rate to send all in the next interval, as measured, 0 at least; infinite if unknown. */
    final double[] toSend;
    /**
     * The same, but {@link #LEAST_NEED} of the mean of the application's at least; infinite if unknown, 0 if idle.
     */
    final double[] demand;
    /** Up to its demand or limit a flow has use for bandwidth; its guarantee it gets in any case. */
    final double[] wanted;
    /**
     * What to compare flows by: weight times demand, where the mean of the application's, else of all known, else
     * 1 bit/s stands in for a demand that is unknown, or 0. Finite and above 0.
     */
    final double[] need;
    final boolean[] idle;
    final int[] activeFlows;
    final int[] idleFlows;

    /**
     * Numbers a round.
     *
     * @param leastShare of each active flow, as part of an equal share of its narrowest link, 0..1
     */
    Instance(final Round round, final double leastShare) {
        links = round.links();
        intervalS = round.intervalUs() / 1e6;
        available = new double[links.size()];
        Arrays.setAll(available, link -> links.get(link).available().bitsPerSecond());
        tenantWeight = round.tenants().stream().mapToLong(Tenant::weight).toArray();
        final var tenants = IntStream.builder();
        final var owners = IntStream.builder();
        final var weights = new ArrayList<Long>();
        for (int tenant = 0; tenant < round.tenants().size(); tenant++) {
            for (final var application : round.tenants().get(tenant).applications()) {
                final var id = new ApplicationId(round.tenants().get(tenant).name(), application.name());
                for (final var flow : application.flows()) {
                    ids.add(new FlowId(id, flow.name()));
                    flows.add(flow);
                    owners.add(applications.size());
                }
                applications.add(id);
                tenants.add(tenant);
                weights.add(application.weight());
            }
        }
        tenantOf = tenants.build().toArray();
        applicationOf = owners.build().toArray();
        applicationWeight = weights.stream().mapToLong(Long::longValue).toArray();
        guarantee = new double[flows.size()];
        Arrays.setAll(guarantee, flow -> flows.get(flow).guarantee().bitsPerSecond());
        limit = new double[flows.size()];
        Arrays.setAll(limit, flow -> flows.get(flow).limit().map(rate -> (double) rate.bitsPerSecond())
            .orElse(Double.POSITIVE_INFINITY));
        idle = new boolean[flows.size()];
        toSend = new double[flows.size()];
        demand = new double[flows.size()];
        need = new double[flows.size()];
        weighDemands();
        activeFlows = IntStream.range(0, idle.length).filter(flow -> !idle[flow]).toArray();
        idleFlows = IntStream.range(0, idle.length).filter(flow -> idle[flow]).toArray();
        wanted = new double[flows.size()];
        Arrays.setAll(wanted, flow -> Math.max(guarantee[flow], Math.min(limit[flow], demand[flow])));
        crossings = Crossings.of(links, flows);
        guaranteed = crossings.loads(guarantee);
        least = least(leastShare);
    }

    private double[] least(final double leastShare) {
        final var shares = new double[available.length];
        for (int link = 0; link < shares.length; link++) {
            int active = 0;
            for (int at = crossings.firstFlow[link]; at < crossings.firstFlow[link + 1]; at++) {
                active += idle[crossings.flowAt[at]] ? 0 : 1;
            }
            final double equal = Math.max(0, available[link] - guaranteed[link]) / Math.max(1, active);
            shares[link] = leastShare > 0 ? Math.max(leastShare * equal, Math.min(equal, LEAST_RATE)) : 0;
        }
        final var least = guarantee.clone();
        for (int flow = 0; flow < least.length; flow++) {
            double share = idle[flow] ? 0 : Math.max(demand[flow], LEAST_USE);
            for (int at = crossings.firstLink[flow]; at < crossings.firstLink[flow + 1]; at++) {
                share = Math.min(share, shares[crossings.linkAt[at]]);
            }
            least[flow] = Math.max(guarantee[flow], Math.min(limit[flow], share));
        }
        return least;
    }

    /** So many bytes in an interval, in bit/s. */
    double rate(final long bytes) {
        return bytes * 8.0 / intervalS;
    }

    private void weighDemands() {
        final var means = Stream.generate(Mean::new).limit(applications.size()).toArray(Mean[]::new);
        final var all = new Mean();
        for (int flow = 0; flow < idle.length; flow++) {
            final var report = flows.get(flow).report();
            idle[flow] = report.isPresent() && report.orElseThrow().idle();
            toSend[flow] = report.isPresent() ? Math.max(0, rate(report.orElseThrow().toSend()))
                : Double.POSITIVE_INFINITY;
            if (!idle[flow] && report.isPresent()) {
                means[applicationOf[flow]].add(toSend[flow]);
                all.add(toSend[flow]);
            }
        }
        final double fallback = all.orElse(1);
        for (int flow = 0; flow < idle.length; flow++) {
            final double typical = means[applicationOf[flow]].orElse(fallback);
            demand[flow] = idle[flow] ? 0 : Math.max(toSend[flow], LEAST_NEED * typical);
            final boolean known = demand[flow] > 0 && demand[flow] < Double.POSITIVE_INFINITY;
            need[flow] = flows.get(flow).weight() * (known ? demand[flow] : typical);
        }
    }

    /** Mean of numbers. */
    private static final class Mean {
        private double sum;
        private int count;

        void add(final double value) {
            sum += value;
            count++;
        }

        double orElse(final double other) {
            return sum > 0 ? sum / count : other;
        }
    }

    /** What rates leave of each link, at least 0. */
    double[] room(final double[] rates) {
        final double[] room = crossings.loads(rates);
        Arrays.setAll(room, link -> Math.max(0, available[link] - room[link]));
        return room;
    }

    int tenant(final int flow) {
        return tenantOf[applicationOf[flow]];
    }

    /** What a policy that keeps least shares answers to a round, or the refusal if guarantees overfill a link. */
    static Allocation answer(final Round round, final double leastShare, final Function<Instance, Allocation> policy) {
        final var instance = new Instance(round, leastShare);
        return instance.refusal().<Allocation>map(refused -> refused).orElseGet(() -> policy.apply(instance));
    }

    /** The refusal if guarantees overfill a link. */
    Optional<Refused> refusal() {
        return refusals().findFirst();
    }

    /** A refusal for each link that guarantees overfill. */
    Stream<Refused> refusals() {
        return IntStream.range(0, available.length)
            .filter(link -> guaranteed[link] > available[link] * (1 + Rounding.TOLERANCE))
            .mapToObj(link -> new Refused(links.get(link).name(),
                new Bandwidth((long) Math.ceil(guaranteed[link])), links.get(link).available(),
                IntStream.of(crossings.flowsOn(link)).filter(flow -> guarantee[flow] > 0).mapToObj(ids::get).toList()));
    }
}
