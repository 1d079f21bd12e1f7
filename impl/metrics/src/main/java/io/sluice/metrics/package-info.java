// SPDX-License-Identifier: EPL-2.0
/**
 * Operational state as metrics. What is exported, under which name and with which labels is said by the YANG models
 * alone: {@link io.sluice.metrics.MarkedModels} finds the nodes that bear {@code sluice-types:metric}, and
 * {@link io.sluice.metrics.Scrape} finds their values in the datastore. Nothing here knows any one leaf.
 */
package io.sluice.metrics;
