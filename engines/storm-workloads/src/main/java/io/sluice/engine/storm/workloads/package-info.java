// SPDX-License-Identifier: EPL-2.0
/**
 * The two stream applications of Aljoby et al. (IEEE JSAC 37(8), 2019, figure 7), with seeded generators.
 *
 * <pre>
 *   Trending Topics   tweets --shuffle--&gt; split --by word--&gt; count --all--&gt; aggregate --all--&gt; report
 *   Trucking IoT      trucks ---+
 *                               +--by route--&gt; combine --all--&gt; act
 *                     traffic --+
 * </pre>
 *
 * <p>What generators make depends on the seed alone, when it is made on the rate. Sinks write what they completed in
 * each second, and how long it took, into a file.
 */
package io.sluice.engine.storm.workloads;
