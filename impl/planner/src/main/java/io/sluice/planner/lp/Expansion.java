// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.lp;

import io.sluice.planner.core.Instance;
import io.sluice.planner.model.Additions;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Capacity A that may be shared out among sites while the common scale alpha is maximised (cloud capacity planning,
 * sections 4.2 and 4.3 of the paper), as a part of the same column generation.
 *
 * <p><b>The program.</b> With traffic alpha times as large, a row of capacity c_r at site s has to obey
 * alpha load_r &lt;= c_r (1 + a_s / m_s), a link alpha load_r &lt;= c_r, and the sum of all a_s is A at most. Divided
 * by alpha c_r, with t = 1 / alpha, u_r = load_r / c_r, b_s = t a_s / m_s and weights k_s = m_s / A, that is linear:
 * <pre>
 *   minimise t    so that    u_r &lt;= t            links
 *                            u_r &lt;= t + b_s      rows of site s: the site, and its deployments
 *                            sum of k_s b_s &lt;= t,   b_s &gt;= 0
 * </pre>
 * A column for t, one for each b_s and one row are all that the additions bring to the restricted master.
 *
 * <p><b>The bound.</b> Let prices p_r &gt;= 0 take the place of the rows, and P_s be the sum of those of site s. What
 * remains is the sum of the cheapest routes, plus the least of t (1 - sum of p_r) - sum of P_s b_s. For a given t the
 * best b_s puts all on the site with most P_s / k_s, and so that least is t (1 - sum of p_r - max of P_s / k_s). It is
 * 0 where the <em>norm</em> of prices, the sum of p_r plus the maximum of P_s / k_s, is 1 at most. Prices can be
 * divided by their norm, and by weak duality t is never below (sum of the cheapest routes) / norm, whatever the prices.
 *
 * <p><b>The descent.</b> The augmented Lagrangian of {@link BlockDescent} wants the t and b_s that minimise t plus the
 * penalty on u_r beyond its level, t or t + b_s. Say that one unit more of the budget is worth l. Then a site's level
 * is where the prices of its rows add up to l k_s, or t where they are less there; t is where the budget is spent; and
 * the prices of all rows plus l are 1. The last of these grows with l, which bisection finds.
 */
final class Expansion {
    /** The group of what does not grow. */
    private static final int FIXED = 0;
    private static final int BISECTIONS = 50;

    private final Instance instance;
    private final double total;
    /** FIXED, or one more than the number of the site. */
    private final int[] group;
    private final int[][] rowsOf;
    /** The k above; of groups. */
    private final double[] weight;
    /** Points of each group, ascending, and the sum of so many of the largest. */
    private final double[][] sorted;
    private final double[][] largest;
    private double stiffness;

    /**
     * Additions to the sites of an instance.
     *
     * @param total the A above, more than 0
     */
    Expansion(final Instance instance, final long total) {
        this.instance = instance;
        this.total = total;
        final int sites = instance.problem().sites().size();
        group = new int[instance.rows()];
        weight = new double[sites + 1];
        for (int site = 0; site < sites; site++) {
            assign(instance.links() + site, site);
            weight[site + 1] = instance.capacity(instance.links() + site) / total;
        }
        for (int deployment = 0; deployment < instance.deployments(); deployment++) {
            assign(instance.deploymentRow(deployment), instance.siteRow(deployment) - instance.links());
        }
        rowsOf = IntStream.rangeClosed(0, sites).mapToObj(number ->
            IntStream.range(0, group.length).filter(row -> group[row] == number).toArray()).toArray(int[][]::new);
        sorted = Arrays.stream(rowsOf).map(rows -> new double[rows.length]).toArray(double[][]::new);
        largest = Arrays.stream(rowsOf).map(rows -> new double[rows.length + 1]).toArray(double[][]::new);
    }

    private void assign(final int row, final int site) {
        group[row] = instance.isClosed(row) || instance.isClosed(instance.links() + site) ? FIXED : site + 1;
    }

    int groups() {
        return weight.length;
    }

    /** 0 for a row that does not grow, else the number of those that grow together. */
    int group(final int row) {
        return group[row];
    }

    /** What a unit of b costs of the budget t. */
    double weight(final int number) {
        return weight[number];
    }

    /** By how much prices have to be divided. */
    double norm(final double[] price) {
        final var sums = new double[groups()];
        double all = 0;
        for (int row = 0; row < price.length; row++) {
            sums[group[row]] += price[row];
            all += price[row];
        }
        double most = 0;
        for (int number = 1; number < sums.length; number++) {
            most = Math.max(most, sums[number] / weight[number]);
        }
        return all + most;
    }

    /** The least t for such use; {@code levels} receives how far each row may be filled then. */
    double fit(final double[] use, final double[] levels) {
        final var fullest = fullest(use);
        final double least = least(fullest);
        write(least, fullest, levels);
        return least;
    }

    /** The additions that such use asks for at the least t, within the budget. */
    Additions additions(final double[] use) {
        final var fullest = fullest(use);
        final double least = least(fullest);
        final var parts = IntStream.range(1, groups()).mapToDouble(number -> least > 0
            ? Math.max(0, fullest[number] / least - 1) * weight[number] * total : 0).toArray();
        final double needed = Arrays.stream(parts).sum();
        return needed > 0 ? Additions.inParts((long) Math.min(total, Math.ceil(needed)), parts)
            : Additions.none(instance.problem());
    }

    private double[] fullest(final double[] use) {
        final var fullest = new double[groups()];
        for (int row = 0; row < use.length; row++) {
            fullest[group[row]] = Math.max(fullest[group[row]], use[row]);
        }
        return fullest;
    }

    private double least(final double[] fullest) {
        return Math.max(fullest[FIXED], spend(fullest));
    }

    /** See "the descent" above. */
    void level(final double[] price, final double stiff, final double[] use, final double[] levels) {
        stiffness = stiff;
        for (int number = 0; number < rowsOf.length; number++) {
            sort(number, price, use);
        }
        final var wanted = new double[groups()];
        double least = want(0, wanted);
        if (prices(least, wanted) < 1) {
            double low = 0;
            double high = 1;
            for (int bit = 0; bit < BISECTIONS; bit++) {
                final double worth = (low + high) / 2;
                least = want(worth, wanted);
                if (prices(least, wanted) + worth < 1) {
                    low = worth;
                } else {
                    high = worth;
                }
            }
        } else {
            // links alone hold t up, and some of the budget is left
            least = Math.max(least, levelAt(FIXED, 1));
        }
        write(least, wanted, levels);
    }

    private void sort(final int number, final double[] price, final double[] use) {
        final var points = sorted[number];
        for (int i = 0; i < points.length; i++) {
            final int row = rowsOf[number][i];
            points[i] = use[row] + price[row] / stiffness;
        }
        Arrays.sort(points);
        for (int i = 0; i < points.length; i++) {
            largest[number][i + 1] = largest[number][i] + points[points.length - 1 - i];
        }
    }

    /** Levels of sites where the budget is worth so much, and the t that spends it. */
    private double want(final double worth, final double[] wanted) {
        for (int number = 1; number < wanted.length; number++) {
            wanted[number] = levelAt(number, weight[number] * worth);
        }
        return spend(wanted);
    }

    /** Sum of the prices of all rows, of those at sites at the level that is wanted. */
    private double prices(final double least, final double[] wanted) {
        double sum = priceAt(FIXED, least);
        for (int number = 1; number < wanted.length; number++) {
            sum += priceAt(number, Math.max(least, wanted[number]));
        }
        return sum;
    }

    private double priceAt(final int number, final double level) {
        final var points = sorted[number];
        int low = 0;
        int high = points.length;
        while (low < high) {
            final int middle = (low + high) >>> 1;
            if (points[middle] > level) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        final int above = points.length - low;
        return stiffness * (largest[number][above] - above * level);
    }

    /** The level of a group where its prices add up to so much; 0 or more. */
    private double levelAt(final int number, final double price) {
        final var points = sorted[number];
        double level = 0;
        // a sum over fewer points than are above the level gives less
        for (int above = 1; above <= points.length && points[points.length - above] > level; above++) {
            level = Math.max(level, (largest[number][above] - price / stiffness) / above);
        }
        return level;
    }

    /** The t at which the sum of weight times what is beyond t is t: sites below it are left out until none is. */
    private double spend(final double[] levels) {
        double least = 0;
        double before;
        do {
            before = least;
            double sum = 0;
            double weights = 1;
            for (int number = 1; number < levels.length; number++) {
                if (levels[number] > before) {
                    sum += weight[number] * levels[number];
                    weights += weight[number];
                }
            }
            least = sum / weights;
        } while (least > before);
        return before;
    }

    private void write(final double least, final double[] wanted, final double[] levels) {
        for (int row = 0; row < levels.length; row++) {
            levels[row] = group[row] == FIXED ? least : Math.max(least, wanted[group[row]]);
        }
    }
}
