// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.util.Map;

/**
 * What an operator says of a site's proxy that shares its process with a node.
 *
 * @param site its site
 * @param address IPv4 address to listen at; 0.0.0.0 for all of the machine
 * @param port TCP port to listen on; 0 for any that is free
 * @param allowed who may connect, beside the node of the process
 * @param remotes other sites' proxies, by site
 */
public record SiteConfig(String site, String address, int port, AllowList allowed, Map<String, Remote> remotes) {
    public SiteConfig {
        NodeName.checkSite(site);
        remotes = Map.copyOf(remotes);
        remotes.keySet().forEach(NodeName::checkSite);
    }

    /** Returns where to listen, as ZeroMQ wants it. */
    String bind() {
        return "tcp://" + address + ":" + (port == 0 ? "*" : port);
    }

    /** Returns whether a proxy with the other configuration can take this one over without being opened anew. */
    boolean isOfSameProxy(final SiteConfig other) {
        return site.equals(other.site) && bind().equals(other.bind());
    }
}
