// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/** A rate in bits per second, over layer-2 frames without preamble and inter-frame gap. */
public record Bandwidth(long bitsPerSecond) implements Comparable<Bandwidth> {
    public static final Bandwidth ZERO = new Bandwidth(0);

    public Bandwidth {
        if (bitsPerSecond < 0) {
            throw new IllegalArgumentException("negative bandwidth: " + bitsPerSecond + " bit/s");
        }
    }

    public static Bandwidth ofMegabits(final long megabitsPerSecond) {
        return new Bandwidth(Math.multiplyExact(megabitsPerSecond, 1_000_000L));
    }

    public Bandwidth plus(final Bandwidth other) {
        return new Bandwidth(Math.addExact(bitsPerSecond, other.bitsPerSecond));
    }

    /** Returns this less {@code other}, or zero if {@code other} is larger. */
    public Bandwidth minusOrZero(final Bandwidth other) {
        return new Bandwidth(Math.max(0, bitsPerSecond - other.bitsPerSecond));
    }

    @Override
    public int compareTo(final Bandwidth other) {
        return Long.compare(bitsPerSecond, other.bitsPerSecond);
    }

    @Override
    public String toString() {
        return bitsPerSecond + " bit/s";
    }
}
