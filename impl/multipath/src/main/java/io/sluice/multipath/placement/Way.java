// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Path;

/**
 * One of several paths that traffic is split over.
 *
 * @param weight its part of the traffic beside the others' weights, 0 or more
 */
public record Way(Path forward, Path backward, long weight) { }
