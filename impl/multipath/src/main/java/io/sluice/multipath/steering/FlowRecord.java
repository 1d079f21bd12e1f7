// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.MaskedIp;
import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * A flow that is placed.
 *
 * @param id 0..{@link ObjectKind#MAX_NUMBER}
 * @param server address of the host that answers; other than the key's target if that is virtual
 * @param replyTo the clients, told apart from those of a slot who are behind other switches; no two of these patterns
 *     have an address in common, and there is none as long as no client is known
 * @param clientSide where its packets come in
 * @param serverSide where the replies come in
 * @param labels of its paths; empty if both sides are one switch
 */
public record FlowRecord(long id, FlowKey key, InetAddress server, List<MaskedIp> replyTo, SwitchId clientSide,
        SwitchId serverSide, Optional<Labels> labels, Purpose purpose) implements SteeringRecord {
    /** Path from client to server, and path back. */
    public record Labels(PathLabel forward, PathLabel backward) { }

    public FlowRecord {
        replyTo = List.copyOf(replyTo);
        if (labels.isPresent() == clientSide.equals(serverSide)) {
            throw new IllegalArgumentException("flow " + id + " needs labels between two switches and none on one: "
                + clientSide + ", " + serverSide);
        }
        if (server.getAddress().length != key.target().getAddress().length) {
            throw new IllegalArgumentException("IPv4 and IPv6 mixed: " + server + ", " + key.target());
        }
    }

    @Override
    public long object() {
        return ObjectKind.FLOW.object(id);
    }

    /** True if the client uses an address that isn't the server's. */
    public boolean isVirtual() {
        return !server.equals(key.target());
    }
}
