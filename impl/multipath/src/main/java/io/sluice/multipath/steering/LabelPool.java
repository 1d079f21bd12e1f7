// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.PathLabel;
import java.util.BitSet;

/**
 * Gives out label numbers from 1 on. Goes round, so that a number returns as late as possible: packets that bear it may
 * still be under way when it is given back.
 */
final class LabelPool {
    private final int largest;
    private final BitSet used = new BitSet();
    private int last;

    LabelPool(final int largest) {
        this.largest = largest;
    }

    int free() {
        return largest - used.cardinality();
    }

    /** Returns the next free label; there must be one. */
    PathLabel take() {
        if (free() == 0) {
            throw new IllegalStateException("no label is free");
        }
        final int next = used.nextClearBit(last + 1);
        last = next <= largest ? next : used.nextClearBit(1);
        used.set(last);
        return new PathLabel(last);
    }

    /**
     * Takes a label that was given out in an earlier run.
     *
     * @throws IllegalArgumentException if it is in use, or beyond the range
     */
    void retake(final PathLabel label) {
        final long number = label.number();
        if (number > largest || used.get((int) number)) {
            throw new IllegalArgumentException("label " + number + " is in use or beyond " + largest);
        }
        used.set((int) number);
        last = Math.max(last, (int) number);
    }

    void giveBack(final PathLabel label) {
        used.clear((int) label.number());
    }
}
