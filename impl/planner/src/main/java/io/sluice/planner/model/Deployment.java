// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

/**
 * A VNF at one of its sites (an element of S_f in table 1).
 *
 * @param site number of the site
 * @param cyclesPerSecond what the VNF may use there, m_sf; 0 closes the deployment
 */
public record Deployment(int site, long cyclesPerSecond) {
    public Deployment {
        if (cyclesPerSecond < 0) {
            throw new IllegalArgumentException("deployment of " + cyclesPerSecond + " cycles/s");
        }
    }
}
