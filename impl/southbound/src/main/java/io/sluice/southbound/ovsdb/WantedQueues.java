// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import io.sluice.api.PortId;
import java.util.Optional;
import java.util.function.Function;

/**
 * Queues that ports should have.
 *
 * @param isNone no port should have any
 * @param at what a port should have; empty if it is to stay as it is
 */
record WantedQueues(boolean isNone, Function<PortId, Optional<QueueSet>> at) { }
