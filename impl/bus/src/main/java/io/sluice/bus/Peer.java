// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.TopicFilter;
import java.util.HashSet;
import java.util.Set;

/** Another node as its proxy knows it, or another site's proxy. Owned by a {@link ProxyCore}. */
final class Peer {
    /** How frames get there. */
    final Link link;
    /** Whether this side connected. */
    final boolean caller;
    /** Filters that are installed there in this session, or wait to be. */
    final Set<TopicFilter> current = new HashSet<>();

    private String name;
    private boolean resumed;

    Peer(final Link link, final boolean caller, final String name) {
        this.link = link;
        this.caller = caller;
        this.name = name;
    }

    /** Returns the node, {@code site/name} or of a proxy {@code site}; null before it said {@code HELLO}. */
    String name() {
        return name;
    }

    /** Returns whether this is the proxy of another site. */
    boolean isProxy() {
        return name != null && name.indexOf('/') < 0;
    }

    /** Returns whether this is a node of the site. */
    boolean isNode() {
        return name != null && !isProxy();
    }

    /** Takes over from an earlier connection of the same node. */
    void replace(final Peer former) {
        link.resume(former.link);
    }

    void introduce(final String newName) {
        name = newName;
    }

    /** At the begin of a session. */
    void begun() {
        current.clear();
        resumed = false;
    }

    /** A filter that the peer had before: what it doesn't know of a stream, it is entitled to. */
    void resume() {
        resumed = true;
    }

    /** Returns the first message of a stream that the peer is entitled to, unless it is known better. */
    long entitledFrom(final long mark) {
        return resumed ? 1 : mark;
    }
}
