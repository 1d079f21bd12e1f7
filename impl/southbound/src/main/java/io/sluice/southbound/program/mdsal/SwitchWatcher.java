// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Failures;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Programmer;
import io.sluice.southbound.program.SwitchSession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNode;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the programmer which switches attach and go away. A switch that reconnects faster than the plugin clears its
 * node is told by its transport address, which the new connection changes.
 *
 * <p>All state belongs to {@code loop}.
 */
final class SwitchWatcher implements DataTreeChangeListener<FlowCapableNode>, Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchWatcher.class);
    /** The node shows up in the datastore somewhat before the plugin can be asked to talk to it. */
    private static final long RETRY_MS = 100;
    /** After so many tries a switch is told of, and asked more seldom. */
    private static final int PATIENCE = 100;
    private static final long SLOW_RETRY_MS = 5_000;

    private final Programmer programmer;
    private final BiFunction<SwitchId, Integer, CompletionStage<? extends SwitchSession>> opener;
    private final ScheduledExecutorService loop;
    private final Map<SwitchId, Connection> connections = new HashMap<>();
    private final Registration registration;

    /**
     * What tells one connection from the next.
     *
     * @param tables how many tables the switch said it has
     */
    private record Connection(String address, int tables) { }

    /**
     * Starts to watch.
     *
     * @param opener takes a switch and the number of its tables
     */
    SwitchWatcher(final DataBroker dataBroker, final Programmer programmer, final ScheduledExecutorService loop,
            final BiFunction<SwitchId, Integer, CompletionStage<? extends SwitchSession>> opener) {
        this.programmer = programmer;
        this.loop = loop;
        this.opener = opener;
        registration = dataBroker.registerTreeChangeListener(LogicalDatastoreType.OPERATIONAL,
            DataObjectReference.builder(Nodes.class).child(Node.class).augmentation(FlowCapableNode.class).build(),
            this);
    }

    @Override
    public void onDataTreeChanged(final List<DataTreeModification<FlowCapableNode>> changes) {
        for (var change : changes) {
            final var switchId = new SwitchId(change.path().getFirstKeyOf(Node.class).getId().getValue());
            final var root = change.getRootNode();
            switch (root.modificationType()) {
                case WRITE, SUBTREE_MODIFIED -> {
                    final var node = root.dataAfter();
                    final var connection = new Connection(node.getIpAddress() + " " + node.getPortNumber(),
                        tables(node));
                    loop.execute(() -> connected(switchId, connection));
                }
                case DELETE -> loop.execute(() -> disconnected(switchId));
            }
        }
    }

    @Override
    public void close() {
        registration.close();
    }

    private void connected(final SwitchId switchId, final Connection connection) {
        final var known = connections.put(switchId, connection);
        if (connection.equals(known)) {
            return;
        }
        if (known != null) {
            programmer.detached(switchId);
        }
        programmer.connecting(switchId);
        LOG.info("switch-connected switch={} connection={}", switchId, connection.address());
        open(switchId, connection, 0);
    }

    private void disconnected(final SwitchId switchId) {
        if (connections.remove(switchId) != null) {
            programmer.detached(switchId);
        }
    }

    private void open(final SwitchId switchId, final Connection connection, final int tries) {
        if (!connection.equals(connections.get(switchId))) {
            return;
        }
        opener.apply(switchId, connection.tables())
            .thenComposeAsync(session -> connection.equals(connections.get(switchId))
                ? programmer.attached(switchId, session)
                : CompletableFuture.failedStage(new IllegalStateException("it has another connection by now")), loop)
            .whenCompleteAsync((comparison, failure) -> {
                if (failure != null) {
                    if (tries == PATIENCE) {
                        LOG.warn("switch-unusable switch={} asked-again-ms={} reason=\"{}\"", switchId,
                            SLOW_RETRY_MS, Failures.reason(failure));
                    }
                    loop.schedule(() -> open(switchId, connection, tries + 1),
                        tries < PATIENCE ? RETRY_MS : SLOW_RETRY_MS, TimeUnit.MILLISECONDS);
                } else {
                    LOG.info("switch-agrees switch={} adopted={} repaired={} foreign={}", switchId,
                        comparison.agreed(), comparison.differences().size(), comparison.foreign());
                }
            }, loop);
    }

    private static int tables(final FlowCapableNode node) {
        final var features = node.getSwitchFeatures();
        return features == null || features.getMaxTables() == null ? 0 : features.getMaxTables().toJava();
    }
}
