// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.Bandwidth;
import io.sluice.api.Path;
import java.util.Optional;

/** A flow that is placed; {@code limit} is the most it will carry, in either direction. */
public record FlowView(long id, Path forward, Path backward, Optional<Bandwidth> limit) { }
