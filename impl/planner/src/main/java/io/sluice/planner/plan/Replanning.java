// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.planner.core.Shares;
import io.sluice.planner.model.Chain;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Takes the chains of one plan over to another, empty one, whose network may differ. */
final class Replanning {
    private static final double OVERFULL = 1 + 1e-6;

    private final Plan before;
    private final Plan after;
    private final Predicate<String> mayOverfill;
    private final Translation translation;
    private final Shares shares;
    /** Of the instance before. */
    private final Shares used;
    /** Chains that were carried, and lost their routes without a change of their own. */
    private final List<Chain> displaced = new ArrayList<>();
    /** Chains that are new, or ask for something else than before. */
    private final List<Chain> changed = new ArrayList<>();
    /** What is left to do, a chain each. */
    private final Queue<Runnable> rest = new ArrayDeque<>();
    private final List<String> moved = new ArrayList<>();
    private final Map<String, Admission> shortOf = new LinkedHashMap<>();

    private record User(Placed chain, double share) { }

    /**
     * Takes over the chains that can stay, so that nothing is overfull but by those that may; {@link #goOn} places the
     * others.
     *
     * @param chains that there shall be
     * @param mayOverfill says by name which of them are carried whole in any case
     */
    Replanning(final Plan before, final Plan after, final List<Chain> chains, final Predicate<String> mayOverfill) {
        this.before = before;
        this.after = after;
        this.mayOverfill = mayOverfill;
        translation = new Translation(before.instance().problem(), after.instance().problem());
        shares = new Shares(after.instance());
        used = new Shares(before.instance());
        chains.forEach(this::keepIfUntouched);
        relieve();
        final var needy = after.all().stream().filter(placed -> !placed.isWhole()).map(Placed::chain).toList();
        for (final boolean isLast : new boolean[] {false, true}) {
            take(isLast, largestFirst(displaced), this::squeeze);
            take(isLast, needy, this::refill);
            take(isLast, largestFirst(changed), this::squeeze);
        }
    }

    /**
     * Places one chain after the other: those that lost their routes, those that are short, and then those that are new
     * or ask for more; last those of each kind that do without room, so that nobody gives way to them.
     *
     * @param isStopped asked before each chain; when it says so, the rest is left for the next time
     * @return whether all are placed
     */
    boolean goOn(final BooleanSupplier isStopped) {
        while (!rest.isEmpty() && !isStopped.getAsBoolean()) {
            rest.remove().run();
        }
        return rest.isEmpty();
    }

    /** The other plan as it is now. */
    Replanned replanned() {
        return new Replanned(after, moved, shortOf);
    }

    private void take(final boolean isLast, final List<Chain> chains, final Consumer<Chain> step) {
        chains.stream().filter(chain -> mayOverfill.test(chain.name()) == isLast)
            .forEach(chain -> rest.add(() -> step.accept(chain)));
    }

    private static List<Chain> largestFirst(final List<Chain> chains) {
        return chains.stream().sorted(Comparator.comparing(Chain::demand).reversed()).toList();
    }

    private void squeeze(final Chain chain) {
        note(chain.name(), after.squeeze(chain, mayOverfill.test(chain.name())));
    }

    private void refill(final Chain chain) {
        note(chain.name(), after.refill(chain.name()));
    }

    private void note(final String name, final Admission admission) {
        if (!Plan.isCarried(admission)) {
            shortOf.put(name, admission);
        }
        if (before.find(name).flatMap(old -> translation.split(old, after.find(name).orElseThrow().chain()))
                .filter(old -> old.isLike(after.split(name))).isEmpty()) {
            moved.add(name);
        }
    }

    private void keepIfUntouched(final Chain chain) {
        final var split = before.find(chain.name()).filter(placed -> !usesWhatClosed(placed))
            .flatMap(placed -> translation.split(placed, chain))
            .filter(same -> same.isOpen(after.instance(), after.instance().layered(chain)));
        if (split.isPresent()) {
            after.keep(chain, split.orElseThrow(), mayOverfill.test(chain.name()));
        } else {
            displace(chain);
        }
    }

    private void displace(final Chain chain) {
        (isChanged(chain) ? changed : displaced).add(chain);
    }

    private boolean isChanged(final Chain chain) {
        return before.find(chain.name()).filter(old -> old.mayOverfill() == mayOverfill.test(chain.name()))
            .flatMap(old -> translation.chain(old.chain())).filter(chain::equals).isEmpty();
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
        final var removed = new HashSet<Placed>();
        for (final var all : usersOfOverfull().values()) {
            final var users = all.stream().filter(user -> !removed.contains(user.chain()))
                .sorted(Comparator.comparing((User user) -> !isChanged(user.chain().chain()))
                    .thenComparing(Comparator.comparingDouble(User::share).reversed())).toList();
            double excess = users.stream().mapToDouble(User::share).sum() - OVERFULL;
            for (final var user : users) {
                if (excess > 0) {
                    removed.add(user.chain());
                    after.remove(user.chain().chain().name());
                    displace(user.chain().chain());
                    excess -= user.share();
                }
            }
        }
    }

    /** For each row that is overfull, in order, who uses it and may not overfill it. */
    private Map<Integer, List<User>> usersOfOverfull() {
        final double[] use = after.routing().use();
        final var users = new TreeMap<Integer, List<User>>();
        for (final var placed : after.all()) {
            shares.clear();
            placed.split().addTo(shares, placed.layered());
            for (int i = 0; i < shares.size() && !placed.mayOverfill(); i++) {
                final int row = shares.row(i);
                if (use[row] > OVERFULL) {
                    users.computeIfAbsent(row, any -> new ArrayList<>()).add(new User(placed, shares.get(row)));
                }
            }
        }
        return users;
    }
}
