// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Queues that ports should have.
 *
 * @param numbers the one that goes first first; none are wanted if it is empty
 * @param capacities of the ports where that is so
 */
record WantedQueues(List<Long> numbers, Function<PortId, Optional<Bandwidth>> capacities) {
    WantedQueues {
        numbers = List.copyOf(numbers);
    }
}
