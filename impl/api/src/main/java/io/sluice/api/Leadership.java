// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/** In a cluster every controller sees, one acts. All applications act on the same one, since they share its switches. */
public final class Leadership {
    /** Name of the group of singleton services that an application joins to act. */
    public static final String GROUP = "sluice";

    private Leadership() {
        // a constant
    }
}
