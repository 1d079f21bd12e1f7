// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.run;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.CapacityPlanning;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.Observer;
import io.sluice.planner.lp.RoutingAnswer.Overloaded;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Unroutable;
import io.sluice.planner.model.Problem;
import io.sluice.planner.placement.PlacementTask;
import io.sluice.planner.placement.VnfPlacement;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.plan.Proposals;
import io.sluice.planner.run.Status.End;
import java.util.Map;

/** What a run looks for. */
public sealed interface Task {
    /** What it optimises. */
    Objective objective();

    /** Looks for it, as long as the limits allow. */
    End solve(Problem problem, Limits limits);

    /** Routes for all chains. */
    record Routing(Objective objective) implements Task {
        @Override
        public End solve(final Problem problem, final Limits limits) {
            final var instance = Instance.of(problem);
            return new End.Answered(instance, ChainRouting.solve(instance, objective, limits));
        }
    }

    /**
     * Moves that bring a plan nearer to all traffic carried with least latency, or where not all of it fits, nearer to
     * as much as possible.
     *
     * @param plan of the problem's chains; for this task alone
     * @param most how many chains may move
     */
    record Moves(Plan plan, int most) implements Task {
        /** How many may move unless somebody says otherwise. */
        public static final int MOST = 10;

        @Override
        public Objective objective() {
            return Objective.LATENCY;
        }

        @Override
        public End solve(final Problem problem, final Limits limits) {
            final var instance = Instance.of(plan.problem());
            final var answer = ChainRouting.solve(instance, objective(), limits);
            final var routes = answer instanceof Overloaded || answer instanceof Unroutable
                ? ChainRouting.solve(instance, Objective.CARRIED, limits.observedBy(Observer.NONE)) : answer;
            return routes instanceof Routed best
                ? new End.Proposed(plan, Proposals.of(plan, best, most, limits.isStopped()))
                : new End.Answered(instance, routes);
        }
    }

    /**
     * Sites that should grow.
     *
     * @param cyclesPerSecond the most that may be added to all of them together
     */
    record Capacity(long cyclesPerSecond) implements Task {
        @Override
        public Objective objective() {
            return Objective.SCALE;
        }

        @Override
        public End solve(final Problem problem, final Limits limits) {
            return new End.Expanded(problem, CapacityPlanning.solve(Instance.of(problem), cyclesPerSecond, limits));
        }
    }

    /** New sites of VNFs; see {@link PlacementTask}. */
    record Placement(Map<Integer, Integer> newSites, long cyclesPerSecond) implements Task {
        public Placement {
            newSites = Map.copyOf(newSites);
        }

        @Override
        public Objective objective() {
            return Objective.LATENCY;
        }

        @Override
        public End solve(final Problem problem, final Limits limits) {
            return new End.Hinted(problem,
                VnfPlacement.solve(new PlacementTask(problem, newSites, cyclesPerSecond), limits));
        }
    }
}
