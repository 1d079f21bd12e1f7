// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

/** A way to share out links. Equal rounds have equal answers: a policy has no clock, random source or memory. */
public interface Policy {
    /** Returns a rate for each flow of {@code round}, or why there is none. */
    Allocation allocate(Round round);
}
