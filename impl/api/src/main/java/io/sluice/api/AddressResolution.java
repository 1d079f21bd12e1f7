// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.net.InetAddress;

/** Addresses that belong to no host, a service's for instance, for which the fabric answers ARP and ND. */
public interface AddressResolution {
    /** Answers for {@code address} until closed; hosts that ask get an address of the fabric's own. */
    Subscription answerFor(InetAddress address);
}
