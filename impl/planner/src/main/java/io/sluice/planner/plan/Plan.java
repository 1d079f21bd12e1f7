// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.api.Bandwidth;
import io.sluice.planner.core.Instance;
import io.sluice.planner.core.LayeredChain;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import io.sluice.planner.dp.Scheme;
import io.sluice.planner.dp.SequentialRouting;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Admission.Admitted;
import io.sluice.planner.plan.Admission.Oversubscribed;
import io.sluice.planner.plan.Offers.Offer;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The routes of all chains now. A chain is routed by SB-DP among the others, which stay where they are; where that
 * leaves something behind, a linear program over this chain alone says exactly how much fits. For one thread at a time.
 */
public final class Plan {
    /** What rounding may make of one. */
    static final double ROUNDING = 1e-6;

    private final Instance instance;
    private final Set<Integer> avoided;
    private final Guide guide;
    private final SequentialRouting routing;
    private final Offers offers;
    private final Shares shares;
    private final Map<String, Placed> placed = new LinkedHashMap<>();

    /**
     * Starts without any chain; those of the problem are not added.
     *
     * @param avoided links that are taken only where there is no other way, such as those that share a risk with a
     *     failed one
     * @param guide of all chains that will be planned
     */
    public Plan(final Problem problem, final Set<Integer> avoided, final Guide guide) {
        this(Instance.open(problem.withChains(List.of())), avoided, guide);
    }

    /** As {@link #Plan(Problem, Set, Guide)}, without prices. */
    public Plan(final Problem problem, final Set<Integer> avoided) {
        this(problem, avoided, Guide.NONE);
    }

    private Plan(final Instance instance, final Set<Integer> avoided, final Guide guide) {
        this.instance = instance;
        this.avoided = Set.copyOf(avoided);
        this.guide = guide;
        routing = new SequentialRouting(instance, Scheme.SB_DP, guide.weights(instance).avoiding(avoided));
        offers = new Offers(instance, routing);
        shares = new Shares(instance);
    }

    /**
     * A plan of all chains of an order, one after the other, each with as much as there is room for, even if that is
     * nothing; last and whole those that may be oversubscribed.
     *
     * @param isStopped asked before each chain; when it says so, the rest is left out
     */
    public static Plan of(final Order order, final Guide guide, final BooleanSupplier isStopped) {
        final var plan = new Plan(order.problem(), order.suspects(), guide);
        for (final var chain : order.inTurn()) {
            if (isStopped.getAsBoolean()) {
                break;
            }
            plan.squeeze(chain, order.mayOverfill(chain.name()));
        }
        return plan;
    }

    /** As {@link #of(Order, Guide, BooleanSupplier)}, without prices. */
    public static Plan of(final Problem problem, final BooleanSupplier isStopped) {
        return of(new Order(problem), Guide.NONE, isStopped);
    }

    /** The same plan again; what becomes of one is nothing to the other. */
    public Plan copy() {
        return guidedBy(guide);
    }

    /** A copy in which chains that are planned from now on follow another guide; those in place stay. */
    public Plan guidedBy(final Guide other) {
        final var copy = new Plan(instance, avoided, other);
        placed.values().forEach(chain -> copy.keep(chain.chain(), chain.split(), chain.mayOverfill()));
        return copy;
    }

    /** The network, and the chains that are in place. */
    public Problem problem() {
        return instance.problem().withChains(placed.values().stream().map(Placed::chain).toList());
    }

    /**
     * Adds a chain.
     *
     * @param chain of a name that is not in place
     * @param oversubscribe carry all of it though there is no room
     */
    public Admission add(final Chain chain, final boolean oversubscribe) {
        if (placed.containsKey(chain.name())) {
            throw new IllegalArgumentException(chain.name() + " is in place already");
        }
        final var offer = offer(chain, oversubscribe);
        if (isCarried(offer.admission())) {
            keep(chain, offer.split(), oversubscribe);
        }
        return offer.admission();
    }

    /** Plans a chain that is in place anew, with other ends, VNFs or traffic; if it is refused the old one stays. */
    public Admission change(final Chain chain, final boolean oversubscribe) {
        final var offer = without(placed(chain.name()), chain, oversubscribe);
        if (isCarried(offer.admission())) {
            swap(chain, offer.split(), oversubscribe);
        }
        return offer.admission();
    }

    /** What {@link #add}, or {@link #change} for a chain that is in place, would answer; changes nothing. */
    public Admission ask(final Chain chain, final boolean oversubscribe) {
        return find(chain.name()).map(old -> without(old, chain, oversubscribe))
            .orElseGet(() -> offer(chain, oversubscribe)).admission();
    }

    /** Removes a chain that is in place. */
    public void remove(final String name) {
        final var old = placed(name);
        routing.release(old.layered(), old.split());
        placed.remove(name);
    }

    /** The routes of a chain that is in place; shared, not to be changed. */
    public Split split(final String name) {
        return placed(name).split();
    }

    /** The routes of all chains that are in place, by name; shared, not to be changed. */
    public Map<String, Split> splits() {
        return placed.values().stream().collect(Collectors.toMap(each -> each.chain().name(), Placed::split));
    }

    /**
     * Moves a chain that is in place to given routes, which may carry less of it, if they are open and have room.
     *
     * @return whether it was moved
     */
    public boolean move(final String name, final Split split) {
        final var old = placed(name);
        routing.release(old.layered(), old.split());
        routing.take(old.layered(), split);
        if (!isFitting(old.layered(), split)) {
            routing.release(old.layered(), split);
            routing.take(old.layered(), old.split());
            return false;
        }
        placed.put(name, old.on(split));
        return true;
    }

    /** What is carried of a chain that is in place, counted at the largest stage, both directions. */
    public Bandwidth carried(final String name) {
        final var old = placed(name);
        return new Bandwidth(Math.round(Math.min(1, old.split().carried()) * old.layered().demand()));
    }

    /** Why a chain that is in place is short of capacity; {@link Admitted} if it is not. */
    public Admission shortage(final String name) {
        final var old = placed(name);
        return old.isWhole() ? new Admitted() : ask(old.chain(), false);
    }

    /** Why a chain that is in place is where it is. */
    public Explanation explain(final String name) {
        return new Explainer(instance, routing).explain(placed(name));
    }

    /** What given routes of a chain that is in place would be called. */
    public List<Explanation.Route> routes(final String name, final Split split) {
        return Explainer.routes(instance, placed(name).on(split));
    }

    /** The plan in numbers. */
    public Figures figures() {
        double demand = 0;
        double carried = 0;
        double traffic = 0;
        double latency = 0;
        for (final var chain : placed.values()) {
            final double part = Math.min(1, chain.split().carried());
            demand += chain.layered().demand();
            carried += chain.layered().demand() * part;
            traffic += chain.layered().traffic() * part;
            latency += chain.split().latency(instance.underlay(), chain.layered());
        }
        return new Figures(placed.size(), new Bandwidth(Math.round(demand)), new Bandwidth(Math.round(carried)),
            latency, traffic > 0 ? Math.round(latency / traffic) : 0,
            Math.round(Arrays.stream(routing.use()).max().orElse(0) * 1e6));
    }

    /**
     * The same chains on a network that changed, by {@link Change} or otherwise; this plan stays as it is. Chains stay
     * where they are unless they used something that is closed now, or something that would be overfull; these are
     * planned again, largest first, and get as much as there is room for, before those that are new or ask for more.
     *
     * @param changed the network with all chains that there shall be, some of them new or with other traffic
     * @param avoided see the constructor
     */
    public Replanned on(final Problem changed, final Set<Integer> avoided) {
        final var replanning = new Replanning(this, new Plan(changed, avoided, guide), changed.chains(),
            name -> find(name).map(Placed::mayOverfill).orElse(false));
        replanning.goOn(() -> false);
        return replanning.replanned();
    }

    /**
     * As {@link #on(Problem, Set)}, for all that is ordered now; when {@code isStopped} says so, chains that are not
     * planned yet are left out.
     */
    Replanned on(final Order order, final BooleanSupplier isStopped) {
        final var replanning = towards(order);
        replanning.goOn(isStopped);
        return replanning.replanned();
    }

    /** The begin of {@link #on(Order, BooleanSupplier)}; this plan is not to change until its end. */
    Replanning towards(final Order order) {
        return new Replanning(this, new Plan(order.problem(), order.suspects(), guide), order.problem().chains(),
            order::mayOverfill);
    }

    /** Sum (3) of a chain in place, in bit/s times microseconds. */
    double latency(final String name) {
        return latency(name, split(name));
    }

    /** What {@link #latency(String)} would be on other routes. */
    double latency(final String name, final Split split) {
        return split.latency(instance.underlay(), placed(name).layered());
    }

    /** The order that is in place. */
    Order order(final Risks risks) {
        return new Order(problem(), risks, placed.values().stream().filter(Placed::mayOverfill)
            .map(each -> each.chain().name()).collect(Collectors.toSet()));
    }

    Instance instance() {
        return instance;
    }

    Collection<Placed> all() {
        return placed.values();
    }

    Optional<Placed> find(final String name) {
        return Optional.ofNullable(placed.get(name));
    }

    SequentialRouting routing() {
        return routing;
    }

    /** Puts a chain on given routes. */
    void keep(final Chain chain, final Split split, final boolean mayOverfill) {
        final var layered = instance.layered(chain);
        routing.take(layered, split);
        placed.put(chain.name(), new Placed(chain, layered, split, mayOverfill));
    }

    /** Places as much of a chain as there is room for, even if that is nothing. */
    Admission squeeze(final Chain chain, final boolean mayOverfill) {
        final var offer = offer(chain, mayOverfill);
        keep(chain, offer.split(), mayOverfill);
        return offer.admission();
    }

    /**
     * Places a chain whose order has changed anew: on its routes of before if they serve it, else with as much as there
     * is room for.
     */
    void replace(final Chain chain, final boolean mayOverfill) {
        final var old = placed(chain.name());
        final var layered = instance.layered(chain);
        if (old.isWhole() && old.chain().servesAs(chain)) {
            routing.release(old.layered(), old.split());
            routing.take(layered, old.split());
            if (isFitting(layered, old.split())) {
                placed.put(chain.name(), new Placed(chain, layered, old.split(), mayOverfill));
                return;
            }
            routing.release(layered, old.split());
            routing.take(old.layered(), old.split());
        }
        swap(chain, without(old, chain, mayOverfill).split(), mayOverfill);
    }

    /** Gives a chain that is short as much more as there is room for; what it has stays where it is. */
    Admission refill(final String name) {
        final var old = placed(name);
        final var offer = offers.of(old.layered(), old.split(), old.mayOverfill());
        if (offer.split().carried() > old.split().carried() + ROUNDING) {
            swap(old.chain(), offer.split(), old.mayOverfill());
        }
        return offer.admission();
    }

    /** As {@link #refill}, if SB-DP alone finds room, without saying what is in the way. */
    void extend(final String name) {
        final var old = placed(name);
        final var more = routing.route(old.layered(), 1 - old.split().carried());
        placed.put(name, old.on(old.split().plus(more)));
    }

    static boolean isCarried(final Admission admission) {
        return admission instanceof Admitted || admission instanceof Oversubscribed;
    }

    private Placed placed(final String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("there is no chain " + name));
    }

    /** Puts the chain of that name that is in place on other routes. */
    private void swap(final Chain chain, final Split split, final boolean mayOverfill) {
        final var old = placed(chain.name());
        routing.release(old.layered(), old.split());
        keep(chain, split, mayOverfill);
    }

    private Offer offer(final Chain chain, final boolean oversubscribe) {
        instance.problem().check(chain);
        return offers.of(instance.layered(chain), new Split(), oversubscribe);
    }

    /** What could be done for a chain if one in place were not; that one is in place again whatever happens. */
    private Offer without(final Placed old, final Chain chain, final boolean oversubscribe) {
        routing.release(old.layered(), old.split());
        try {
            return offer(chain, oversubscribe);
        } finally {
            routing.take(old.layered(), old.split());
        }
    }

    /** Whether routes that are booked are open and overfill nothing. */
    private boolean isFitting(final LayeredChain layered, final Split split) {
        final double[] use = routing.use();
        shares.clear();
        for (int index = 0; index < split.size(); index++) {
            split.addTo(shares, layered, index, 1);
        }
        return split.isOpen(instance, layered)
            && IntStream.range(0, shares.size()).noneMatch(i -> use[shares.row(i)] > 1 + ROUNDING);
    }
}
