// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.dp;

/**
 * What became of all chains.
 *
 * @param carried share of the demand that is carried, 0..1
 * @param latency sum of traffic times delay (3) of what is carried, in bit/s times microseconds
 * @param fullest use of the fullest row, as a share of its capacity; beyond 1 only by schemes that don't look
 */
public record SequentialResult(double carried, double latency, double fullest) {
    private static final double ALL = 1 - 1e-6;
    private static final double FITS = 1 + 1e-6;

    /** Whether everything is carried within the capacities. */
    public boolean isComplete() {
        return carried >= ALL && fullest <= FITS;
    }
}
