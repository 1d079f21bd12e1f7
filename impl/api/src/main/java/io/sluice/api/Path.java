// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;

/**
 * A way through the fabric, from the switch of one host to the switch of another.
 *
 * @param links in order, each beginning where the one before ends; none if both hosts are on one switch
 */
public record Path(SwitchId source, SwitchId destination, List<Link> links) {
    public Path {
        links = List.copyOf(links);
        var at = source;
        for (var link : links) {
            if (!link.source().switchId().equals(at)) {
                throw new IllegalArgumentException(link + " does not begin at " + at);
            }
            at = link.destination().switchId();
        }
        if (!at.equals(destination)) {
            throw new IllegalArgumentException("path ends at " + at + ", not at " + destination);
        }
    }
}
