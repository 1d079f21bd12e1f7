// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.bandwidth.ProgressiveFilling.Group;

/** Which groups of a {@link Rise} still rise: those of a parent that do share its weight by theirs. */
final class Sisters {
    private final Group[] groups;
    private final double[] parentWeights;
    /** Of each parent, its first group; then where the last one's end. */
    private final int[] firstGroup;
    private final boolean[] stopped;
    private final int[] risingOf;
    private final NumberSet changedParents;
    private int risingParents;

    /** Takes the speed of a group. */
    interface Taker {
        void take(int group, double speed);
    }

    /** Starts with all {@code groups} rising; sisters are side by side, in the order of their parents. */
    Sisters(final Group[] groups, final double[] parentWeights) {
        this.groups = groups;
        this.parentWeights = parentWeights;
        firstGroup = new int[parentWeights.length + 1];
        stopped = new boolean[groups.length];
        risingOf = new int[parentWeights.length];
        changedParents = new NumberSet(parentWeights.length);
        for (final var group : groups) {
            risingOf[group.parent()]++;
        }
        for (int parent = 0; parent < risingOf.length; parent++) {
            firstGroup[parent + 1] = firstGroup[parent] + risingOf[parent];
            risingParents += risingOf[parent] > 0 ? 1 : 0;
        }
    }

    boolean anyRises() {
        return risingParents > 0;
    }

    void stop(final int group) {
        stopped[group] = true;
        final int parent = groups[group].parent();
        if (--risingOf[parent] == 0) {
            risingParents--;
        } else {
            changedParents.add(parent);
        }
    }

    /** Tells the speeds of all groups. */
    void share(final Taker taker) {
        for (int parent = 0; parent < risingOf.length; parent++) {
            share(parent, taker);
        }
    }

    /**
     * Tells the speeds of groups with a sister that has stopped since the last time. If no other parent is left, more
     * weight would change the unit of time alone.
     */
    void shareAnew(final Taker taker) {
        for (int i = 0; i < changedParents.count() && risingParents > 1; i++) {
            share(changedParents.get(i), taker);
        }
        changedParents.clear();
    }

    private void share(final int parent, final Taker taker) {
        double sum = 0;
        for (int group = firstGroup[parent]; group < firstGroup[parent + 1]; group++) {
            sum += stopped[group] ? 0 : groups[group].weight();
        }
        for (int group = firstGroup[parent]; group < firstGroup[parent + 1]; group++) {
            if (!stopped[group]) {
                taker.take(group, parentWeights[parent] * groups[group].weight() / sum / groups[group].size());
            }
        }
    }
}
