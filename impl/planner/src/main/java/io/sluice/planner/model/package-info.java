// SPDX-License-Identifier: EPL-2.0
/**
 * The network model of the Switchboard paper (Sharma et al., Middleware 2019, table 1) as values that check themselves.
 * Rates and capacities are integers; things are named by their numbers.
 */
package io.sluice.planner.model;
