// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;

/**
 * The link that limits a flow.
 *
 * @param link with its capacity
 * @param background what it carries beyond the placed flows
 * @param flows placed flows that share it, this one among them
 */
public record Bottleneck(Link link, Bandwidth background, int flows) { }
