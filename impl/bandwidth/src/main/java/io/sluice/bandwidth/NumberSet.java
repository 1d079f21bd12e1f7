// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

/** A set of some of the numbers 0 up, in the order in which they came. */
final class NumberSet {
    private final boolean[] isIn;
    private final int[] members;
    private int count;

    /** Starts empty. */
    NumberSet(final int numbers) {
        isIn = new boolean[numbers];
        members = new int[numbers];
    }

    /** Adds a number; false if it is in already. */
    boolean add(final int number) {
        if (isIn[number]) {
            return false;
        }
        isIn[number] = true;
        members[count++] = number;
        return true;
    }

    void addAll(final int[] numbers) {
        for (final int number : numbers) {
            add(number);
        }
    }

    int count() {
        return count;
    }

    int get(final int index) {
        return members[index];
    }

    void clear() {
        for (int i = 0; i < count; i++) {
            isIn[members[i]] = false;
        }
        count = 0;
    }
}
