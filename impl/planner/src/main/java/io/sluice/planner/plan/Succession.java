// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Changes the chains of a plan, whose network stays, one by one into those of an order. */
final class Succession {
    private final Plan plan;
    private final Order order;
    private final BooleanSupplier isStopped;

    /**
     * Does nothing yet.
     *
     * @param order of the plan's network
     * @param isStopped asked before each chain; when it says so, the rest is left as it is
     */
    Succession(final Plan plan, final Order order, final BooleanSupplier isStopped) {
        this.plan = plan;
        this.order = order;
        this.isStopped = isStopped;
    }

    /**
     * First what leaves room, then who is short has more, and then those that ask for more or are new; last those that
     * do without room, so that nobody gives way to them.
     */
    void run() {
        final boolean isLess = removeOthers();
        if (replaceChanged(this::asksForLess) || isLess) {
            extendShort();
        }
        final Predicate<Chain> doesWithoutRoom = chain -> order.mayOverfill(chain.name());
        for (final var turn : List.of(doesWithoutRoom.negate(), doesWithoutRoom)) {
            if (replaceChanged(turn)) {
                extendShort();
            }
            addNew(turn);
        }
    }

    private boolean removeOthers() {
        final var ordered = order.problem().chains().stream().map(chain -> chain.name()).collect(Collectors.toSet());
        final var others = plan.all().stream().map(placed -> placed.chain().name())
            .filter(name -> !ordered.contains(name)).toList();
        others.forEach(plan::remove);
        return !others.isEmpty();
    }

    private boolean replaceChanged(final Predicate<Chain> turn) {
        boolean isAny = false;
        for (final var chain : order.problem().chains()) {
            final boolean mayOverfill = order.mayOverfill(chain.name());
            if (plan.find(chain.name()).filter(old -> !old.chain().equals(chain) || old.mayOverfill() != mayOverfill)
                    .isPresent() && turn.test(chain) && !isStopped.getAsBoolean()) {
                plan.replace(chain, mayOverfill);
                isAny = true;
            }
        }
        return isAny;
    }

    /** Whether a chain that is in place wants no more of anything, nor to overfill it. */
    private boolean asksForLess(final Chain chain) {
        final var old = plan.find(chain.name()).orElseThrow().chain();
        return !order.mayOverfill(chain.name()) && old.servesAs(chain) && IntStream.range(0, old.stages().size())
            .allMatch(stage -> isWithin(chain.stages().get(stage), old.stages().get(stage)));
    }

    private static boolean isWithin(final Stage one, final Stage other) {
        return one.forward().compareTo(other.forward()) <= 0 && one.reverse().compareTo(other.reverse()) <= 0;
    }

    private void addNew(final Predicate<Chain> turn) {
        for (final var chain : order.problem().chains()) {
            if (plan.find(chain.name()).isEmpty() && turn.test(chain) && !isStopped.getAsBoolean()) {
                plan.squeeze(chain, order.mayOverfill(chain.name()));
            }
        }
    }

    /** There may be many: microseconds each. */
    private void extendShort() {
        for (final var placed : new ArrayList<>(plan.all())) {
            if (!placed.isWhole() && !isStopped.getAsBoolean()) {
                plan.extend(placed.chain().name());
            }
        }
    }
}
