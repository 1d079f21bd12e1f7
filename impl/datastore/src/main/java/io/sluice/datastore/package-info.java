// SPDX-License-Identifier: EPL-2.0
/**
 * What the edges of modules share to write to OpenDaylight's datastore and to read their configuration from it: of two
 * transactions that overlap and touch the same data the second is lost, so {@link io.sluice.datastore.DatastoreWrites}
 * has one under way at a time, and {@link io.sluice.datastore.ConfigurationReadings} follow one another.
 */
package io.sluice.datastore;
