// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.HashSet;
import java.util.List;

/**
 * All that a round of allocation is decided on.
 *
 * @param links of the network; their names are unique
 * @param tenants their names are unique, and their flows pass links of the network only
 * @param intervalUs length of the interval that the flows' reports speak of, in microseconds, at least 1
 */
public record Round(List<AllocatableLink> links, List<Tenant> tenants, long intervalUs) {
    public Round {
        links = List.copyOf(links);
        tenants = List.copyOf(tenants);
        Checks.unique(links, AllocatableLink::name);
        Checks.unique(tenants, Tenant::name);
        if (intervalUs < 1) {
            throw new IllegalArgumentException("interval of " + intervalUs + " us");
        }
        final var known = new HashSet<String>();
        links.forEach(link -> known.add(link.name()));
        tenants.stream().flatMap(tenant -> tenant.applications().stream())
            .flatMap(application -> application.flows().stream()).flatMap(flow -> flow.paths().stream())
            .flatMap(path -> path.links().stream()).filter(link -> !known.contains(link)).findFirst()
            .ifPresent(link -> {
                throw new IllegalArgumentException("no link is named " + link);
            });
    }

    /** What any policy answers as long as guarantees overfill a link, one for each such link. */
    public List<Allocation.Refused> refusals() {
        return new Instance(this, 0).refusals().toList();
    }
}
