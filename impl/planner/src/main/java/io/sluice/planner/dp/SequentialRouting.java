// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.LayeredChain;
import io.sluice.planner.core.Prices;
import io.sluice.planner.core.RouteOracle;
import io.sluice.planner.core.Shares;
import io.sluice.planner.core.Split;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Routes chains in the order of their arrival, each once (section 4.4 of the paper): takes the best route by the
 * {@link Scheme}, fills it as far as there is room, and goes on with the rest of the traffic until all is carried or no
 * route has room.
 *
 * <p>Prices are kept from chain to chain; a row's price changes only when its use passes a corner of the cost function
 * or the row is full. So a chain costs little more than one search. For one thread at a time.
 */
public final class SequentialRouting {
    private static final int MAX_ROUTES = 50;
    /** What rounding may make of the use of a row. */
    private static final double ROUNDING = 1e-9;
    private static final double FULL = 1 - ROUNDING;
    private static final double NOTHING = 1e-9;

    private final Instance instance;
    private final Scheme scheme;
    private final Weights weights;
    private final Prices prices;
    private final RouteOracle oracle;
    private final HopByHop hops;
    private final Shares shares;
    private final double[] use;
    /** What rounding took from each use, so that little survives what came and went with a billion times as much. */
    private final double[] lost;
    /** Slope by which a row is charged now; infinite if it is forbidden. */
    private final double[] slope;
    private int[] route = new int[0];

    /** Starts without any traffic. */
    public SequentialRouting(final Instance instance, final Scheme scheme, final Weights weights) {
        this.instance = instance;
        this.scheme = scheme;
        this.weights = weights;
        prices = new Prices(instance);
        oracle = new RouteOracle();
        hops = new HopByHop(prices);
        shares = new Shares(instance);
        use = new double[instance.rows()];
        lost = new double[instance.rows()];
        slope = new double[instance.rows()];
        final var initial = new double[instance.rows()];
        for (int row = 0; row < initial.length; row++) {
            slope[row] = slopeAt(row);
            initial[row] = price(row);
        }
        prices.set(initial, 1);
    }

    /** Routes all chains of the instance, in order, each once. */
    public SequentialResult routeAll() {
        return routeAll(1);
    }

    /**
     * Routes all chains of the instance, in order, and while not everything is carried goes over them again: each is
     * taken out and routed anew with the others in place, which makes room where it is short.
     *
     * @param passes how often at most, 1 or more
     */
    public SequentialResult routeAll(final int passes) {
        final var splits = new Split[instance.chainCount()];
        SequentialResult result = null;
        for (int pass = 0; pass < passes && (result == null || !result.isComplete()); pass++) {
            for (int chain = 0; chain < splits.length; chain++) {
                if (splits[chain] != null) {
                    release(instance.chain(chain), splits[chain]);
                }
                splits[chain] = route(instance.chain(chain));
            }
            result = result(splits);
        }
        return result;
    }

    private SequentialResult result(final Split[] splits) {
        double carried = 0;
        double demand = 0;
        double latency = 0;
        for (int chain = 0; chain < splits.length; chain++) {
            final var layered = instance.chain(chain);
            demand += layered.demand();
            carried += splits[chain].carried() * layered.demand();
            latency += splits[chain].latency(instance.underlay(), layered);
        }
        return new SequentialResult(demand > 0 ? carried / demand : 1, latency,
            Arrays.stream(use).max().orElse(0));
    }

    /** Books a split that was found elsewhere, whether there is room for it or not. */
    public void take(final LayeredChain chain, final Split split) {
        book(chain, split, 1);
    }

    /** Frees what a chain took. */
    public void release(final LayeredChain chain, final Split split) {
        book(chain, split, -1);
    }

    private void book(final LayeredChain chain, final Split split, final int sign) {
        for (int index = 0; index < split.size(); index++) {
            shares.clear();
            split.addTo(shares, chain, index, 1);
            book(sign * split.fraction(index));
        }
    }

    /** What is used of each row, as a share of its capacity. */
    public double[] use() {
        return use.clone();
    }

    /**
     * Price of the whole capacity of a row at its use now, full or not; bit/s times microseconds. At a corner of the
     * cost it is that of the next unit, whatever rounding made of the use. What keeps routes away from it is left out.
     */
    public double worth(final int row) {
        return weights.base(row) + weights.perSlope(row) * FortzThorup.slope(use[row] + ROUNDING);
    }

    /** Prices of all rows at their use now that forbid only what is closed. */
    public Prices worths() {
        final var soft = new Prices(instance);
        soft.set(IntStream.range(0, use.length).mapToDouble(row -> worth(row) + weights.surcharge(row)).toArray(), 1);
        return soft;
    }

    /** Routes one chain and books what it takes; what can't be carried is missing from the split. */
    public Split route(final LayeredChain chain) {
        return route(chain, 1);
    }

    /** As {@link #route(LayeredChain)}, for this fraction of the chain's traffic; the rest of it is elsewhere. */
    public Split route(final LayeredChain chain, final double fraction) {
        if (route.length < chain.layers()) {
            route = new int[chain.layers()];
        }
        final var split = new Split();
        double rest = fraction;
        for (int found = 0; rest > NOTHING && found < MAX_ROUTES; found++) {
            final double cost = scheme.isHolistic() ? oracle.cheapest(chain, prices, route)
                : hops.cheapest(chain, route);
            if (!Prices.isUsable(cost)) {
                break;
            }
            shares.clear();
            shares.add(chain, route, 1);
            final double part = Math.min(rest, room());
            final int index = split.indexOf(route, chain.layers());
            split.setFraction(index, split.fraction(index) + part);
            book(part);
            rest -= part;
        }
        return split;
    }

    /** How many times the route in {@link #shares} fits into the rows that the scheme respects. */
    private double room() {
        double room = Double.POSITIVE_INFINITY;
        for (int i = 0; i < shares.size(); i++) {
            final int row = shares.row(i);
            if (scheme.respects(row < instance.links())) {
                room = Math.min(room, Math.max(0, 1 - use[row]) / shares.get(row));
            }
        }
        return room;
    }

    private void book(final double part) {
        for (int i = 0; i < shares.size(); i++) {
            final int row = shares.row(i);
            addUse(row, shares.get(row) * part);
            final double now = slopeAt(row);
            if (Double.compare(now, slope[row]) != 0) {
                slope[row] = now;
                if (Double.isInfinite(now)) {
                    prices.forbid(row);
                } else {
                    prices.change(row, price(row));
                }
            }
        }
    }

    /** A sum of two doubles, its error kept (Knuth's TwoSum, Dekker's FastTwoSum). */
    private void addUse(final int row, final double more) {
        final double sum = use[row] + more;
        final double rounded = sum - use[row];
        lost[row] += use[row] - (sum - rounded) + (more - rounded);
        use[row] = sum + lost[row];
        lost[row] -= use[row] - sum;
    }

    private double slopeAt(final int row) {
        if (use[row] >= FULL && scheme.respects(row < instance.links())) {
            return Double.POSITIVE_INFINITY;
        }
        return scheme.chargesUtilisation() ? FortzThorup.slope(use[row]) : 0;
    }

    private double price(final int row) {
        return weights.base(row) + weights.perSlope(row) * slope[row] + weights.surcharge(row);
    }
}
