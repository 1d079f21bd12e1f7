// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

/** All that is needed to compile an object again: what is kept in the datastore. */
public sealed interface SteeringRecord permits LabelledRecord, FlowRecord {
    /** Number of the object that is declared for this record. */
    long object();
}
