// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import java.util.ArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

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

    /** Removes first, so that there is room; chains that are short have more if others gave it up. */
    void run() {
        final boolean isLess = removeOthers();
        if (replaceChanged() || isLess) {
            extendShort();
        }
        for (final var chain : order.problem().chains()) {
            if (plan.find(chain.name()).isEmpty() && !isStopped.getAsBoolean()) {
                plan.squeeze(chain, order.mayOverfill(chain.name()));
            }
        }
    }

    private boolean removeOthers() {
        final var ordered = order.problem().chains().stream().map(chain -> chain.name()).collect(Collectors.toSet());
        final var others = plan.all().stream().map(placed -> placed.chain().name())
            .filter(name -> !ordered.contains(name)).toList();
        others.forEach(plan::remove);
        return !others.isEmpty();
    }

    private boolean replaceChanged() {
        boolean isAny = false;
        for (final var chain : order.problem().chains()) {
            final boolean mayOverfill = order.mayOverfill(chain.name());
            if (plan.find(chain.name()).filter(old -> !old.chain().equals(chain) || old.mayOverfill() != mayOverfill)
                    .isPresent() && !isStopped.getAsBoolean()) {
                plan.replace(chain, mayOverfill);
                isAny = true;
            }
        }
        return isAny;
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
