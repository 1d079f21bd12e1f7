// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

/**
 * A cloud site beside a node (site s of table 1).
 *
 * @param name what it is called; empty if only by its node
 * @param node where it is
 * @param cyclesPerSecond what all VNFs there may use together, m_s; 0 closes the site
 */
public record Site(String name, int node, long cyclesPerSecond) {
    public Site {
        if (cyclesPerSecond < 0) {
            throw new IllegalArgumentException("site of " + cyclesPerSecond + " cycles/s");
        }
    }

    /** A site that has no name of its own. */
    public Site(final int node, final long cyclesPerSecond) {
        this("", node, cyclesPerSecond);
    }

    /** The same site with other capacity. */
    public Site withCapacity(final long other) {
        return new Site(name, node, other);
    }
}
