// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.regex.Pattern;

/**
 * Who takes part in the bus, as its key is known to the site's proxy: {@code A/forwarder-1}.
 *
 * @param site 1 to 31 letters, digits and {@code -}
 * @param name 1 to 63 letters, digits and {@code . _ -}, unique in the site
 */
public record NodeName(String site, String name) {
    /** Grammar of a site's name, a regular expression. */
    static final String SITE = "[A-Za-z0-9-]{1,31}";

    private static final Pattern SITES = Pattern.compile(SITE);
    private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9._-]{1,63}");

    public NodeName {
        checkSite(site);
        if (!NAMES.matcher(name).matches()) {
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
        if (!SITES.matcher(site).matches()) {
            throw new IllegalArgumentException("not a site's name: " + site);
        }
        return site;
    }

    @Override
    public String toString() {
        return site + "/" + name;
    }
}
