// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import io.sluice.planner.model.Chain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Takes the chains of one plan over to another, empty one, whose network may differ. */
final class Replanning {
    private static final double OVERFULL = 1 + 1e-6;

    private final Plan before;
    private final Plan after;
    private final BooleanSupplier isStopped;
    private final Translation translation;
    private final Prices prices;
    private final Shares shares;
    /** Of the instance before. */
    private final Shares used;
    /** Chains that were carried, and lost their routes without a change of their own. */
    private final List<Chain> displaced = new ArrayList<>();
    /** Chains that are new, or ask for something else than before. */
    private final List<Chain> changed = new ArrayList<>();
    private final List<String> moved = new ArrayList<>();
    private final Map<String, Admission> shortOf = new LinkedHashMap<>();

    private record User(Placed chain, double share) { }

    Replanning(final Plan before, final Plan after, final BooleanSupplier isStopped) {
        this.before = before;
        this.after = after;
        this.isStopped = isStopped;
        translation = new Translation(before.instance().problem(), after.instance().problem());
        prices = after.routing().worths();
        shares = new Shares(after.instance());
        used = new Shares(before.instance());
    }

    /** Takes over chains of these orders; {@code mayOverfill} says by name which are carried whole in any case. */
    Replanned run(final List<Chain> chains, final Predicate<String> mayOverfill) {
        chains.forEach(chain -> keepIfUntouched(chain, mayOverfill.test(chain.name())));
        relieve();
        final var needy = after.all().stream().filter(placed -> !placed.isWhole())
            .map(placed -> placed.chain().name()).toList();
        place(displaced, mayOverfill);
        for (final var name : needy) {
            if (!isStopped.getAsBoolean()) {
                note(name, after.refill(name));
            }
        }
        place(changed, mayOverfill);
        return new Replanned(after, moved, shortOf);
    }

    /** Largest first. */
    private void place(final List<Chain> chains, final Predicate<String> mayOverfill) {
        chains.sort(Comparator.comparing((Chain chain) -> chain.stages().get(0).total()).reversed());
        for (final var chain : chains) {
            if (!isStopped.getAsBoolean()) {
                note(chain.name(), after.squeeze(chain, mayOverfill.test(chain.name())));
            }
        }
    }

    private void note(final String name, final Admission admission) {
        if (!Plan.isCarried(admission)) {
            shortOf.put(name, admission);
        }
        if (before.find(name).flatMap(old -> translation.split(old, after.find(name).orElseThrow().chain()))
                .filter(old -> old.isSameAs(after.split(name))).isEmpty()) {
            moved.add(name);
        }
    }

    private void keepIfUntouched(final Chain chain, final boolean mayOverfill) {
        final var split = before.find(chain.name()).filter(placed -> !usesWhatClosed(placed))
            .flatMap(placed -> translation.split(placed, chain)).filter(same -> isUsable(same, chain));
        if (split.isPresent()) {
            after.keep(chain, split.orElseThrow(), mayOverfill);
        } else {
            displace(chain);
        }
    }

    private void displace(final Chain chain) {
        (isChanged(chain) ? changed : displaced).add(chain);
    }

    private boolean isChanged(final Chain chain) {
        return before.find(chain.name()).flatMap(old -> translation.chain(old.chain())).filter(chain::equals).isEmpty();
    }

    private boolean isUsable(final Split split, final Chain chain) {
        final var layered = after.instance().layered(chain);
        for (int index = 0; index < split.size(); index++) {
            if (!Prices.isUsable(split.cost(prices, layered, index))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the network had to find another way for the chain. */
    private boolean usesWhatClosed(final Placed placed) {
        used.clear();
        placed.split().addTo(used, placed.layered());
        return IntStream.range(0, used.size()).map(used::row).filter(row -> row < before.instance().links())
            .anyMatch(link -> !translation.hasLink(link) || after.instance().isClosed(translation.link(link)));
    }

    /**
     * Takes chains away from what is overfull, those first that ask for something else than before, then those that use
     * most of it, so that few are. What is overfull by chains that may do so is nobody else's fault.
     */
    private void relieve() {
        final Instance instance = after.instance();
        for (int row = 0; row < instance.rows() && !isStopped.getAsBoolean(); row++) {
            final var users = after.routing().use()[row] > OVERFULL ? users(row) : List.<User>of();
            double excess = users.stream().mapToDouble(User::share).sum() - OVERFULL;
            for (final var user : users) {
                if (excess > 0) {
                    after.remove(user.chain().chain().name());
                    displace(user.chain().chain());
                    excess -= user.share();
                }
            }
        }
    }

    private List<User> users(final int row) {
        final var users = new ArrayList<User>();
        for (final var placed : after.all()) {
            shares.clear();
            placed.split().addTo(shares, placed.layered());
            if (!placed.mayOverfill() && shares.get(row) > 0) {
                users.add(new User(placed, shares.get(row)));
            }
        }
        users.sort(Comparator.comparing((User user) -> !isChanged(user.chain().chain()))
            .thenComparing(Comparator.comparingDouble(User::share).reversed()));
        return users;
    }
}
