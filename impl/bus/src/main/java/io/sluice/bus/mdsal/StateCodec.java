// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import io.sluice.bus.BusState;
import io.sluice.bus.EmbeddedBus;
import io.sluice.bus.LinkState;
import io.sluice.bus.NodeState;
import io.sluice.bus.Refusal;
import io.sluice.bus.RefusedKey;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Bus;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.BusBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.NodeName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublicKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.Node;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.NodeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.OwnNode;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.OwnNodeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RefusedFrames;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RefusedFramesBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RefusedKeyBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSite;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSiteBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.peer.state.Link;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.peer.state.LinkBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** The bus in the words of {@code sluice-bus}; what is absent is null on the YANG side. */
final class StateCodec {
    private static final Link DOWN = new LinkBuilder().setUp(false).build();
    private static final NodeName OWN = new NodeName(EmbeddedBus.NODE);

    private StateCodec() {
        // functions only
    }

    /** What is configured, with what becomes of it. */
    static Bus state(final ConfigCodec.Decoded configured, final Optional<String> fault,
            final Optional<BusState> running) {
        final var stored = configured.stored();
        final var own = running.stream().map(bus -> ownNode(bus, configured));
        final var nodes = stored.nonnullNode().values().stream().filter(node -> running.isEmpty() || !isOwn(node))
            .map(node -> node(node, configured, running));
        final var builder = new BusBuilder().setSite(stored.getSite()).setAddress(stored.getAddress())
            .setPort(ConfigCodec.port(stored.getPort())).setFault(fault.orElse(null))
            .setNode(Stream.concat(own, nodes).collect(BindingMap.toMap()))
            .setRemoteSite(stored.nonnullRemoteSite().values().stream()
                .map(remote -> remote(remote, configured, running)).collect(BindingMap.toMap()));
        running.ifPresent(bus -> builder.setPublicKey(new PublicKey(bus.publicKey()))
            .setOwnNode(ownNode(bus.node()))
            .setStreams(Uint32.valueOf(bus.proxy().streams())).setFilters(Uint32.valueOf(bus.proxy().filters()))
            .setRefusedFrames(refusals(bus.proxy().refusals()))
            .setReplacedSessions(Uint64.valueOf(bus.proxy().replacements()))
            .setWithdrawnValues(Uint64.valueOf(bus.proxy().withdrawals()))
            .setRefusedConnections(Uint64.valueOf(bus.refusedConnections()))
            .setRefusedKey(bus.refusedKeys().stream().map(StateCodec::refused).collect(BindingMap.toMap())));
        return builder.build();
    }

    private static boolean isOwn(final Node node) {
        return node.requireName().equals(OWN);
    }

    /** The controller's own node, which nobody configures; who does gets a fault. */
    private static Node ownNode(final BusState bus, final ConfigCodec.Decoded configured) {
        return new NodeBuilder().setName(OWN).setFault(configured.faults().get(ConfigCodec.item(OWN)))
            .setPublicKey(Set.of(new PublicKey(bus.nodeKey())))
            .setLink(link(bus, bus.proxy().site() + "/" + EmbeddedBus.NODE)).build();
    }

    private static Node node(final Node stored, final ConfigCodec.Decoded configured,
            final Optional<BusState> running) {
        final var name = configured.config().site() + "/" + stored.requireName().getValue();
        return new NodeBuilder(stored).setFault(configured.faults().get(ConfigCodec.item(stored)))
            .setLink(link(name, configured, running).orElse(null)).build();
    }

    /** A site that is not used is down, too: who watches its link is to know. */
    private static RemoteSite remote(final RemoteSite stored, final ConfigCodec.Decoded configured,
            final Optional<BusState> running) {
        return new RemoteSiteBuilder(stored).setPort(ConfigCodec.port(stored.getPort()))
            .setFault(configured.faults().get(ConfigCodec.item(stored)))
            .setLink(link(stored.requireName().getValue(), configured, running).orElse(DOWN)).build();
    }

    /** The link of who may connect, if the bus runs; nothing for others. */
    private static Optional<Link> link(final String name, final ConfigCodec.Decoded configured,
            final Optional<BusState> running) {
        return running.filter(bus -> configured.config().allowed().names().containsValue(name))
            .map(bus -> link(bus, name));
    }

    private static Link link(final BusState bus, final String name) {
        return link(bus.proxy().links().getOrDefault(name, LinkState.DOWN));
    }

    private static Link link(final LinkState state) {
        return new LinkBuilder().setUp(state.up()).setMessages(Uint64.valueOf(state.messages()))
            .setUnconfirmed(Uint64.valueOf(state.unconfirmed())).setWaiting(Uint32.valueOf(state.behind()))
            .setDeferred(Uint64.valueOf(state.deferred())).setRenewals(Uint64.valueOf(state.renewals())).build();
    }

    private static OwnNode ownNode(final NodeState state) {
        return new OwnNodeBuilder(link(state.link())).setDuplicates(Uint64.valueOf(state.duplicates()))
            .setGaps(Uint64.valueOf(state.gaps())).setMalformed(Uint64.valueOf(state.malformed())).build();
    }

    private static RefusedFrames refusals(final Map<Refusal, Long> refusals) {
        final var builder = new RefusedFramesBuilder();
        refusals.forEach((reason, frames) -> set(builder, reason, Uint64.valueOf(frames)));
        return builder.build();
    }

    private static RefusedFramesBuilder set(final RefusedFramesBuilder builder, final Refusal reason,
            final Uint64 frames) {
        return switch (reason) {
            case KEY -> builder.setUnknownKey(frames);
            case MALFORMED -> builder.setMalformed(frames);
            case HELLO -> builder.setWrongName(frames);
            case PUBLISHER -> builder.setWrongPublisher(frames);
            case SITE -> builder.setWrongSite(frames);
            case EPOCH -> builder.setOldEpoch(frames);
            case STREAMS -> builder.setTooManyStreams(frames);
            case TARGET -> builder.setNoTarget(frames);
            case DUPLICATE -> builder.setDuplicate(frames);
        };
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RefusedKey refused(final RefusedKey key) {
        return new RefusedKeyBuilder().setPublicKey(new PublicKey(key.publicKey())).setAddress(key.address())
            .setAttempts(Uint64.valueOf(key.attempts()))
            .setLatest(new DateAndTime(key.latest().truncatedTo(ChronoUnit.SECONDS).toString())).build();
    }
}
