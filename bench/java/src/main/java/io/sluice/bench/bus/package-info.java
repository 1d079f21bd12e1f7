// SPDX-License-Identifier: EPL-2.0
/**
 * Dissemination from one site to subscribers at others, over the bus and over a full mesh of direct copies (rows S3).
 * A process a site; {@code mininet/sluice_lab/experiments/dissemination.py} puts them into a network.
 */
package io.sluice.bench.bus;
