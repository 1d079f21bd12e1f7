// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Who pays for applications.
 *
 * @param name unique in a round
 * @param weight bandwidth in relation to other tenants, 1..10^6
 */
public record Tenant(String name, long weight, List<Application> applications) {
    public Tenant {
        requireNonNull(name);
        Checks.weight(weight);
        applications = List.copyOf(applications);
        Checks.unique(applications, Application::name);
    }
}
