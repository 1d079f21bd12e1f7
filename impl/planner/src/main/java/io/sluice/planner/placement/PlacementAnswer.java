// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.placement;

import io.sluice.planner.lp.RoutingAnswer.Binding;
import java.util.List;

/** What VNF capacity planning answers. */
public sealed interface PlacementAnswer {
    /**
     * Where to deploy what.
     *
     * @param hints new sites that carry something, by VNF and site; no more of a VNF than were allowed
     * @param value sum (3) with these, in bit/s times microseconds
     * @param bound no choice of sites has less
     * @param gap relative difference of the two
     */
    record Placed(List<Hint> hints, double value, double bound, double gap) implements PlacementAnswer {
        public Placed {
            hints = List.copyOf(hints);
        }
    }

    /**
     * One new site of a VNF.
     *
     * @param vnf its number
     * @param site number of the site
     * @param cyclesPerSecond the capacity that the routes of least latency use there, 1 or more
     */
    record Hint(int vnf, int site, long cyclesPerSecond) { }

    /**
     * Not all traffic can be carried, even with all VNFs at all their candidates.
     *
     * @param scale no larger share of all traffic than this can be carried then, below 1
     * @param binding what holds that share back, the dearest first
     */
    record Overloaded(double scale, List<Binding> binding) implements PlacementAnswer {
        public Overloaded {
            binding = List.copyOf(binding);
        }
    }

    /**
     * Some chains have no route at all, wherever VNFs are deployed within the task.
     *
     * @param chains their numbers
     * @param reason the first of them by name, with what is in their way
     */
    record Unroutable(List<Integer> chains, String reason) implements PlacementAnswer {
        public Unroutable {
            chains = List.copyOf(chains);
        }
    }

    /**
     * No choice of sites that carries all traffic was found, be it that it was stopped or that there is none.
     *
     * @param bound no choice has a smaller sum (3)
     */
    record Missed(double bound) implements PlacementAnswer { }
}
