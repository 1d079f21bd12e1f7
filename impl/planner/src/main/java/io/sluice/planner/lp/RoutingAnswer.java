// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Split;
import java.util.List;

/** What chain routing answers. */
public sealed interface RoutingAnswer {
    /**
     * Routes, within the capacities (after scaling, for SCALE).
     *
     * @param objective what was optimised
     * @param value of these routes, in the unit of the objective
     * @param bound that no routes can beat, in the same unit
     * @param gap relative difference of the two
     * @param splits routes of each chain; shared, not to be changed
     * @param prices worth of the whole capacity of each row: for LATENCY and CARRIED in the unit of the objective, for
     *     SCALE as a share of the worth of all
     * @param rounds linear programs solved; 0 if it went without one
     */
    record Routed(Objective objective, double value, double bound, double gap, List<Split> splits, double[] prices,
            int rounds) implements RoutingAnswer {
        public Routed {
            splits = List.copyOf(splits);
        }
    }

    /**
     * Not everything can be carried.
     *
     * @param scale no larger share of all traffic than this can be carried, below 1
     * @param binding what holds that share back, the dearest first
     */
    record Overloaded(double scale, List<Binding> binding) implements RoutingAnswer {
        public Overloaded {
            binding = List.copyOf(binding);
        }
    }

    /**
     * A resource that binds.
     *
     * @param resource its name
     * @param price its worth, as a share of the worth of all
     */
    record Binding(String resource, double price) {
        /** A smaller price would be shown as zero. */
        static final double LEAST = 0.5e-6;
    }

    /**
     * Some chains have no route at all, whatever the traffic: a VNF has no open deployment, or there is no way.
     *
     * @param chains their numbers
     * @param reason the first of them by name, with what is in their way
     */
    record Unroutable(List<Integer> chains, String reason) implements RoutingAnswer {
        public Unroutable {
            chains = List.copyOf(chains);
        }
    }

    /**
     * Stopped before all was carried within the capacities.
     *
     * @param bound that no routes can beat
     * @param carried the share of the demand that the routes carry within the capacities, 0..1
     * @param splits routes of each chain, {@link Split#NOWHERE} among them; shared, not to be changed
     */
    record Stopped(double bound, double carried, List<Split> splits) implements RoutingAnswer {
        public Stopped {
            splits = List.copyOf(splits);
        }
    }
}
