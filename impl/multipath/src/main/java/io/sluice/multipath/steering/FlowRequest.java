// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.Link;
import io.sluice.api.MaskedIp;
import io.sluice.api.Path;
import java.net.InetAddress;
import java.util.List;

/**
 * A flow and the way it shall go.
 *
 * @param id 0..{@link ObjectKind#MAX_NUMBER}; the id of a placed flow moves that one
 * @param server address of the host that answers; other than the key's target if that is virtual
 * @param replyTo the clients, told apart from those of a slot who are behind other switches
 * @param forward from the client's switch to the server's
 * @param backward the other way round, not necessarily over the same links
 */
public record FlowRequest(long id, FlowKey key, InetAddress server, List<MaskedIp> replyTo, Path forward, Path backward,
        Purpose purpose) {
    public FlowRequest {
        replyTo = List.copyOf(replyTo);
        if (!forward.source().equals(backward.destination()) || !forward.destination().equals(backward.source())) {
            throw new IllegalArgumentException("paths of flow " + id + " don't lead there and back");
        }
        requireNoLoop(forward);
        requireNoLoop(backward);
    }

    /** A flow of one client, or of a slot whose clients are all behind one switch. */
    public FlowRequest(final long id, final FlowKey key, final InetAddress server, final Path forward,
            final Path backward, final Purpose purpose) {
        this(id, key, server, List.of(key.clients()), forward, backward, purpose);
    }

    private static void requireNoLoop(final Path path) {
        final long reached = path.links().stream().map(Link::destination).map(port -> port.switchId())
            .filter(at -> !at.equals(path.source())).distinct().count();
        if (reached < path.links().size()) {
            throw new IllegalArgumentException("path passes a switch twice: " + path.links());
        }
    }
}
