// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.FabricView;
import io.sluice.southbound.fabric.PortStatus;
import java.util.List;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNode;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.NetworkTopology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.TopologyId;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.Topology;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.TopologyKey;
import org.opendaylight.yang.gen.v1.urn.tbd.params.xml.ns.yang.network.topology.rev131021.network.topology.topology.Link;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;

/** Reports to the view what the OpenFlow plugin and its topology discovery write into the operational datastore. */
final class InventoryWatcher implements Subscription {
    private static final TopologyKey DISCOVERED = new TopologyKey(new TopologyId("flow:1"));
    private static final long BITS_PER_KILOBIT = 1000;

    private final FabricView view;
    private final List<Registration> registrations;

    InventoryWatcher(final DataBroker dataBroker, final FabricView view) {
        this.view = view;
        registrations = List.of(
            dataBroker.registerTreeChangeListener(LogicalDatastoreType.OPERATIONAL,
                DataObjectReference.builder(Nodes.class).child(Node.class).augmentation(FlowCapableNode.class)
                    .build(), this::onSwitches),
            dataBroker.registerTreeChangeListener(LogicalDatastoreType.OPERATIONAL,
                DataObjectReference.builder(Nodes.class).child(Node.class).child(NodeConnector.class)
                    .augmentation(FlowCapableNodeConnector.class).build(), this::onPorts),
            dataBroker.registerTreeChangeListener(LogicalDatastoreType.OPERATIONAL,
                DataObjectReference.builder(NetworkTopology.class).child(Topology.class, DISCOVERED)
                    .child(Link.class).build(), this::onLinks));
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
    }

    private void onSwitches(final List<DataTreeModification<FlowCapableNode>> changes) {
        for (var change : changes) {
            final var switchId = new SwitchId(change.path().getFirstKeyOf(Node.class).getId().getValue());
            switch (change.getRootNode().modificationType()) {
                case WRITE, SUBTREE_MODIFIED -> view.attached(switchId);
                case DELETE -> view.detached(switchId);
            }
        }
    }

    private void onPorts(final List<DataTreeModification<FlowCapableNodeConnector>> changes) {
        for (var change : changes) {
            final var root = change.getRootNode();
            Names.port(change.path().getFirstKeyOf(NodeConnector.class).getId().getValue()).ifPresent(port -> {
                switch (root.modificationType()) {
                    case WRITE, SUBTREE_MODIFIED -> view.portSeen(status(port, root.dataAfter()));
                    case DELETE -> view.portGone(port);
                }
            });
        }
    }

    private void onLinks(final List<DataTreeModification<Link>> changes) {
        for (var change : changes) {
            final var root = change.getRootNode();
            switch (root.modificationType()) {
                case WRITE, SUBTREE_MODIFIED -> {
                    final var link = root.dataAfter();
                    Names.port(link.getSource().getSourceTp().getValue()).ifPresent(source ->
                        Names.port(link.getDestination().getDestTp().getValue()).ifPresent(destination ->
                            view.linkFound(source, destination)));
                }
                case DELETE -> Names.port(root.dataBefore().getSource().getSourceTp().getValue())
                    .ifPresent(view::linkLost);
            }
        }
    }

    private static PortStatus status(final PortId id, final FlowCapableNodeConnector connector) {
        final var state = connector.getState();
        final var configuration = connector.getConfiguration();
        final boolean carrier = state == null || !Boolean.TRUE.equals(state.getLinkDown());
        final boolean enabled = configuration == null || !Boolean.TRUE.equals(configuration.getPORTDOWN());
        final var speed = connector.getCurrentSpeed();
        return new PortStatus(id, connector.getName() == null ? "" : connector.getName(), carrier && enabled,
            new Bandwidth(speed == null ? 0 : speed.toJava() * BITS_PER_KILOBIT));
    }
}
