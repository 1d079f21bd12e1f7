// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.SwitchId;
import java.util.List;

/**
 * What became of one packet in the network.
 *
 * @param deliveries copies that a host took: they bear its VLAN, its Ethernet address and one of its IP
 *     addresses
 * @param links links that copies crossed, in order
 * @param toController copies that switches sent to the controller
 * @param losses copies that ended elsewhere
 */
public record Journey(List<Delivery> deliveries, List<Link> links, List<Report> toController, List<Loss> losses) {
    public Journey {
        deliveries = List.copyOf(deliveries);
        links = List.copyOf(links);
        toController = List.copyOf(toController);
        losses = List.copyOf(losses);
    }

    /** A packet as {@code host} got it. */
    public record Delivery(Host host, Packet packet) { }

    /** A packet that {@code from} sent to the controller. */
    public record Report(SwitchId from, Packet packet) { }

    /** A packet that ended at, or just behind, a switch. */
    public record Loss(SwitchId at, Outcome.Drop reason) { }

    /** True if {@code host} got the packet once and no copy went anywhere else. */
    public boolean endsOnlyAt(final Host host) {
        return deliveries.size() == 1 && deliveries.getFirst().host().equals(host) && toController.isEmpty()
            && losses.isEmpty();
    }
}
