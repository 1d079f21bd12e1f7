// SPDX-License-Identifier: EPL-2.0
/**
 * Chains routed one after the other, in microseconds each: the paper's SB-DP, the same guided by the prices of a linear
 * program, and the schemes it is compared with.
 */
package io.sluice.planner.dp;
