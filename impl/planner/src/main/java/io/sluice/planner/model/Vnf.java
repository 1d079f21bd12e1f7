// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import java.util.List;

/**
 * A virtual network function (VNF f of table 1).
 *
 * @param name what an operator calls it
 * @param cyclesPerKilobyte load of 1,000 bytes received or sent, l_f; 0 or more
 * @param deployments where it runs, each site at most once
 */
public record Vnf(String name, long cyclesPerKilobyte, List<Deployment> deployments) {
    private static final double BITS_PER_KILOBYTE = 8_000;

    public Vnf {
        deployments = List.copyOf(deployments);
        if (cyclesPerKilobyte < 0) {
            throw new IllegalArgumentException(name + ": load of " + cyclesPerKilobyte + " cycles/kB");
        }
        if (deployments.stream().mapToInt(Deployment::site).distinct().count() < deployments.size()) {
            throw new IllegalArgumentException(name + " is twice at a site");
        }
    }

    /** Cycles for each bit received or sent. */
    public double cyclesPerBit() {
        return cyclesPerKilobyte / BITS_PER_KILOBYTE;
    }
}
