// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Link;
import io.sluice.api.Path;
import java.util.Optional;

/**
 * Where a piece comes from.
 *
 * @param expectedRate max-min share in the fuller direction, given all flows; zero if neither a link nor the demand
 *     limits it
 * @param bindingLink link that limits it
 * @param runnerUp the best choice that was not taken, in words; empty where the strategy weighs none
 */
public record Assignment(int piece, Candidate candidate, Path forward, Path backward, Bandwidth expectedRate,
        Optional<Link> bindingLink, Optional<String> runnerUp) { }
