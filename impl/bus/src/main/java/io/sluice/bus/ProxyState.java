// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.Map;

/**
 * A proxy as an operator sees it.
 *
 * @param site its site
 * @param links by name of the node or, for the proxy of another site, of the site
 * @param filters how many different ones are installed here
 * @param streams whose last value it has
 * @param refusals frames that it did not act on, by reason
 * @param replacements sessions that ended because who had them connected again meanwhile
 * @param withdrawals last values withdrawn in the place of nodes that are gone
 */
public record ProxyState(String site, Map<String, LinkState> links, int filters, int streams,
        Map<Refusal, Long> refusals, long replacements, long withdrawals) {
    public ProxyState {
        links = Map.copyOf(links);
        refusals = Map.copyOf(refusals);
    }
}
