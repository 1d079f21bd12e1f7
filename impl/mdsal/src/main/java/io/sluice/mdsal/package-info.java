// SPDX-License-Identifier: EPL-2.0
/**
 * What the edges of modules to MD-SAL share. Of two transactions that overlap and touch the same data the second is
 * lost, so {@link io.sluice.mdsal.DatastoreWrites} has one under way at a time, and
 * {@link io.sluice.mdsal.ConfigurationReadings} follow one another.
 */
package io.sluice.mdsal;
