// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;

/** Where packets go that somebody has placed. Thread-safe. */
@FunctionalInterface
public interface Routes {
    /**
     * Returns the path of each placed flow that takes packets of {@code match}, whatever port these come in by; some
     * 500 ms old at most, and none if nothing is placed.
     */
    List<Path> of(FlowMatch match);
}
