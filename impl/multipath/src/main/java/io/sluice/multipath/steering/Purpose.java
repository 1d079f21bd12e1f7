// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a flow is for: nothing that switches see, but kept with it over a restart.
 *
 * @param strategy name of the strategy that placed it, as in {@code sluice-multipath}
 * @param transfer transfer that it is part of
 * @param service service that it belongs to
 * @param server name of the server within the service
 * @param piece piece that it moves, 1..64
 */
public record Purpose(String strategy, Optional<String> transfer, Optional<String> service, Optional<String> server,
        OptionalInt piece) {
    /** Traffic of no service. */
    public static Purpose plain(final String strategy) {
        return new Purpose(strategy, Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty());
    }
}
