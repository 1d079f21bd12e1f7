// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeConnectorRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnector;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.node.NodeConnectorKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeKey;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PortNumber;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint32;

/** Switches and ports in the words of the inventory and of Sluice's models. */
public final class Names {
    private Names() {
        // functions only
    }

    /** Reads {@code openflow:1:2}; nothing for ports that are the switch's own, such as {@code openflow:1:LOCAL}. */
    static Optional<PortId> port(final String connector) {
        final int colon = connector.lastIndexOf(':');
        final var number = connector.substring(colon + 1);
        if (colon < 0 || number.isEmpty() || number.length() > 10 || !number.chars().allMatch(Character::isDigit)) {
            return Optional.empty();
        }
        final long value = Long.parseLong(number);
        return value < 1 || value > PortId.MAX_NUMBER ? Optional.empty()
            : Optional.of(new PortId(new SwitchId(connector.substring(0, colon)), value));
    }

    /** A port that a reference leads to; nothing for a switch's own. */
    static Optional<PortId> port(final NodeConnectorRef connector) {
        return connector != null && connector.getValue() instanceof DataObjectIdentifier<?> path
            ? port(path.getFirstKeyOf(NodeConnector.class).getId().getValue()) : Optional.empty();
    }

    /** A switch. */
    public static NodeRef node(final SwitchId switchId) {
        return new NodeRef(DataObjectIdentifier.builder(Nodes.class)
            .child(Node.class, new NodeKey(new NodeId(switchId.value()))).build());
    }

    /** A port of a switch, by its number or by the name of a reserved one (OpenFlow 1.3.5, section 7.2.1). */
    public static NodeConnectorRef connector(final SwitchId switchId, final String port) {
        return new NodeConnectorRef(DataObjectIdentifier.builder(Nodes.class)
            .child(Node.class, new NodeKey(new NodeId(switchId.value())))
            .child(NodeConnector.class, new NodeConnectorKey(new NodeConnectorId(switchId + ":" + port))).build());
    }

    static org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId encode(final SwitchId switchId) {
        return new org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId(switchId.value());
    }

    static PortNumber encode(final long port) {
        return new PortNumber(Uint32.valueOf(port));
    }

    static Set<PortNumber> encode(final Set<Long> ports) {
        return ports.stream().map(Names::encode).collect(Collectors.toUnmodifiableSet());
    }

    static Set<Long> decode(final Set<PortNumber> ports) {
        return ports == null ? Set.of()
            : ports.stream().map(port -> port.getValue().toJava()).collect(Collectors.toUnmodifiableSet());
    }

    static PortId decode(final org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId switchId,
            final PortNumber port) {
        return new PortId(new SwitchId(switchId.getValue()), port.getValue().toJava());
    }
}
