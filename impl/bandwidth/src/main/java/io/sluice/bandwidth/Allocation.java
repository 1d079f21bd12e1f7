// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.api.Bandwidth;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Answer of a {@link Policy}. */
public sealed interface Allocation {
    /**
     * Rates that overfill no link, keep every guarantee and limit, and leave no bandwidth unused that an active flow
     * could take, but for some bit/s of rounding.
     *
     * @param flows in the order of the round
     * @param slowest of each application that has an active flow, the one of least utility, for which all others wait;
     *     the first active one if no demand is known
     */
    record Allocated(List<FlowRate> flows, List<FlowId> slowest) implements Allocation {
        public Allocated {
            flows = List.copyOf(flows);
            slowest = List.copyOf(slowest);
        }
    }

    /**
     * The guarantees can't be kept, so nothing is allocated.
     *
     * @param link the first, in the order of the round, that they overfill
     * @param guaranteed sum of the guarantees over it, rounded up
     * @param available what the link has
     * @param flows those with a guarantee over it
     */
    record Refused(String link, Bandwidth guaranteed, Bandwidth available, List<FlowId> flows) implements Allocation {
        public Refused {
            flows = List.copyOf(flows);
        }

        /** What to tell an operator, with what to do about it. */
        public String reason() {
            return "guarantees of " + flows + " sum to " + guaranteed + " on link " + link + ", which has " + available
                + "; lower one of them, or set the capacity of the link's port";
        }
    }

    /**
     * What a flow gets, and why.
     *
     * @param rate over all its paths together
     * @param bindingLink the full link that keeps it from having more; empty if its own limit does
     * @param demand what it would need to send all that waits and comes in the next interval; empty if unknown
     * @param idle it has nothing to send: it gets what nobody else wants, maybe nothing
     */
    record FlowRate(FlowId flow, Bandwidth rate, Optional<String> bindingLink, Optional<Bandwidth> demand,
            boolean idle) {
        /**
         * Rate as part of the demand, in millionths: above 10^6, queues shrink. The largest number if nothing is
         * wanted; empty if the demand is unknown.
         */
        public OptionalLong utilityPpm() {
            return demand.map(wanted -> OptionalLong.of(wanted.equals(Bandwidth.ZERO) ? Long.MAX_VALUE
                : (long) (rate.bitsPerSecond() * 1e6 / wanted.bitsPerSecond()))).orElseGet(OptionalLong::empty);
        }
    }
}
