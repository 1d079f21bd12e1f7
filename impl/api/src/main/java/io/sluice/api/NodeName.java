// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/**
 * Who takes part in the bus, as its key is known to the site's proxy: {@code A/forwarder-1}.
 *
 * @param site 1 to 31 letters, digits and {@code -}
 * @param name 1 to 63 letters, digits and {@code . _ -}, unique in the site
 */
public record NodeName(String site, String name) {
    public NodeName {
        checkSite(site);
        if (!BusGrammar.isNode(name)) {
            throw new IllegalArgumentException("not a node's name: " + name);
        }
    }

    /** Returns the node written {@code site/name}, or throws {@link IllegalArgumentException}. */
    public static NodeName of(final String text) {
        final int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("not a node, site/name: " + text);
        }
        return new NodeName(text.substring(0, slash), text.substring(slash + 1));
    }

    /** Returns the name of a site if it is one, or throws {@link IllegalArgumentException}. */
    public static String checkSite(final String site) {
        if (!BusGrammar.isSite(site)) {
            throw new IllegalArgumentException("not a site's name: " + site);
        }
        return site;
    }

    @Override
    public String toString() {
        return site + "/" + name;
    }
}
