// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import io.sluice.api.Bandwidth;

/**
 * A plan in numbers.
 *
 * @param chains how many are in place
 * @param demand what they ask for, counted at the largest stage, both directions
 * @param carried what of it is carried
 * @param latency sum (3) of traffic times delay of what is carried, in bit/s times microseconds
 * @param delayUs mean delay of a stage in microseconds, weighted by the traffic that is carried
 * @param fullest use of the fullest resource as a share of its capacity, in ppm; above a million if oversubscribed
 */
public record Figures(int chains, Bandwidth demand, Bandwidth carried, double latency, long delayUs,
        long fullest) { }
