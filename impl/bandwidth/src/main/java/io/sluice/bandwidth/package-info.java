// SPDX-License-Identifier: EPL-2.0
/**
 * Shares out links between the flows of applications.
 *
 * <ul>
 * <li>{@link io.sluice.bandwidth.Round}: what is decided on: {@link io.sluice.bandwidth.AllocatableLink}s, and
 *     {@link io.sluice.bandwidth.Tenant}s with {@link io.sluice.bandwidth.Application}s with
 *     {@link io.sluice.bandwidth.Flow}s, each with its last {@link io.sluice.bandwidth.FlowReport}
 * <li>{@link io.sluice.bandwidth.Policy}: how: {@link io.sluice.bandwidth.AppMaxMin} (the default),
 *     {@link io.sluice.bandwidth.AppAware} (the paper's Algorithm 1), {@link io.sluice.bandwidth.MaxMinRates} (what TCP
 *     approximates), {@link io.sluice.bandwidth.AppFair} (the paper's section VII)
 * <li>{@link io.sluice.bandwidth.Allocation}: rates with the links that bind them, or a refusal
 * </ul>
 *
 * <p>Plain Java without clock, random source or memory: equal rounds have equal answers. A flow passes through these
 * states from round to round, by its reports alone:
 * <pre>
 *              first report                     nothing sent, nothing waiting
 *   UNKNOWN -----------------&gt; ACTIVE ------------------------------------------&gt; IDLE
 *   always has data            has a demand  &lt;--------------------------------   gets what nobody wants
 *                                                  anything sent or waiting
 * </pre>
 */
package io.sluice.bandwidth;
