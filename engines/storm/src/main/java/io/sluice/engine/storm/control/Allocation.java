// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.report.MeterRates;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the controller says that a flow has.
 *
 * @param meterRate what its meter or queue lets through, in bit/s of frames, at least {@link MeterRates#LEAST}; empty
 *     if it has none
 * @param pending why it is not held to its rate as it should be; empty if it is, or needs not be
 */
record Allocation(OptionalLong meterRate, Optional<String> pending) { }
