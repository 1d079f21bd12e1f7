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
 */
final class Expansion {
    /** The group of what does not grow. */
    private static final int FIXED = 0;

    private final Instance instance;
    private final double total;
    /** FIXED, or one more than the number of the site. */
    private final int[] group;
    /** The k above; of groups. */
    private final double[] weight;

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

    /** Writes how far each row may be filled at the least t for such use. */
    void fit(final double[] use, final double[] levels) {
        final var fullest = fullest(use);
        final double least = least(fullest);
        for (int row = 0; row < levels.length; row++) {
            levels[row] = group[row] == FIXED ? least : Math.max(least, fullest[group[row]]);
        }
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
}
