// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

/**
 * A cloud site beside a node (site s of table 1).
 *
 * @param node where it is
 * @param cyclesPerSecond what all VNFs there may use together, m_s; 0 closes the site
 */
public record Site(int node, long cyclesPerSecond) {
    public Site {
        if (cyclesPerSecond < 0) {
            throw new IllegalArgumentException("site of " + cyclesPerSecond + " cycles/s");
        }
    }
}
