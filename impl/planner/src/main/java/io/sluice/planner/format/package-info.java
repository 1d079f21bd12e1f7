// SPDX-License-Identifier: EPL-2.0
/**
 * Readers of the files in which network topologies are published (topohub, SNDlib, REPETITA, Topology Zoo), and of our
 * own JSON.
 */
package io.sluice.planner.format;
