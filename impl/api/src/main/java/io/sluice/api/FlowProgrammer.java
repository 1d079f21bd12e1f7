// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/** Makes switches hold what the applications declare; never touches an entry that is not Sluice's. */
public interface FlowProgrammer {
    /**
     * Starts to act for {@code owner}. Entries that the owner left on the switches earlier stay, and are adopted when
     * they are declared again.
     *
     * @throws IllegalStateException if the owner has a claim already
     */
    Claim claim(Owner owner);
}
