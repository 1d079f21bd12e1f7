// SPDX-License-Identifier: EPL-2.0
/**
 * What the edges of modules need to write to OpenDaylight's datastore: of two transactions that overlap and touch the
 * same data the second is lost, so {@link io.sluice.datastore.DatastoreWrites} has one under way at a time.
 */
package io.sluice.datastore;
