// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.core;

import java.util.Arrays;
import java.util.List;

/**
 * What routes take of each row, as shares of the row's capacity: a sparse vector over the rows, used again and again
 * without allocation. For one thread at a time.
 */
public final class Shares {
    private final Instance instance;
    private final double[] share;
    private final boolean[] isTouched;
    private final int[] touched;
    private int size;

    public Shares(final Instance instance) {
        this.instance = instance;
        share = new double[instance.rows()];
        isTouched = new boolean[instance.rows()];
        touched = new int[instance.rows()];
    }

    /** What all chains take of each row, as a share of its capacity, on the routes of these splits, one for each. */
    public static double[] ofAll(final Instance instance, final List<Split> splits) {
        final var shares = new Shares(instance);
        for (int chain = 0; chain < splits.size(); chain++) {
            splits.get(chain).addTo(shares, instance.chain(chain));
        }
        final var use = new double[instance.rows()];
        shares.addTo(use, 1);
        return use;
    }

    /** Number of rows that were touched since the last {@link #clear}. */
    public int size() {
        return size;
    }

    /** The row that was touched as number {@code index}. */
    public int row(final int index) {
        return touched[index];
    }

    public double get(final int row) {
        return share[row];
    }

    public void clear() {
        for (int i = 0; i < size; i++) {
            share[touched[i]] = 0;
            isTouched[touched[i]] = false;
        }
        size = 0;
    }

    /** Adds {@code fraction} of the chain's traffic on a route: constraints (4), (6) and (7). */
    public void add(final LayeredChain chain, final int[] route, final double fraction) {
        for (int layer = 1; layer < chain.layers(); layer++) {
            final int from = chain.nodes[layer - 1][route[layer - 1]];
            final int to = chain.nodes[layer][route[layer]];
            addPair(from, to, chain.forward[layer - 1] * fraction);
            addPair(to, from, chain.reverse[layer - 1] * fraction);
            if (layer < chain.layers() - 1) {
                final int deployment = chain.deployment(layer, route[layer]);
                addRow(instance.siteRow(deployment), chain.load[layer] * fraction);
                addRow(instance.deploymentRow(deployment), chain.load[layer] * fraction);
            }
        }
    }

    /** Adds all of this, times {@code factor}, to a dense vector over the rows. */
    public void addTo(final double[] sum, final double factor) {
        for (int i = 0; i < size; i++) {
            sum[touched[i]] += share[touched[i]] * factor;
        }
    }

    /** The touched rows, ascending, so that what is built from them does not depend on the route's order. */
    public int[] sortedRows() {
        final var rows = Arrays.copyOf(touched, size);
        Arrays.sort(rows);
        return rows;
    }

    private void addPair(final int from, final int to, final double traffic) {
        if (traffic != 0) {
            final var underlay = instance.underlay();
            final int pair = from * underlay.nodes() + to;
            final int end = underlay.start(pair + 1);
            for (int entry = underlay.start(pair); entry < end; entry++) {
                addRow(underlay.link(entry), underlay.fraction(entry) * traffic);
            }
        }
    }

    private void addRow(final int row, final double amount) {
        if (amount != 0) {
            if (!isTouched[row]) {
                isTouched[row] = true;
                touched[size++] = row;
            }
            share[row] += amount / instance.capacity(row);
        }
    }
}
