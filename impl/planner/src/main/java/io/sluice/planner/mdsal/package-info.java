// SPDX-License-Identifier: EPL-2.0
/** The edge to MD-SAL: network and chains as configured, runs, RPCs of {@code sluice-planner}. */
package io.sluice.planner.mdsal;
