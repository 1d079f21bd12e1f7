// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.model.api.ChoiceSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.Module;

/**
 * A leaf of the datastores.
 *
 * @param path from the root, without the entries of lists
 * @param parent what holds it
 * @param leaf its schema
 */
record StoredLeaf(List<NodeIdentifier> path, DataNodeContainer parent, LeafSchemaNode leaf) {
    StoredLeaf {
        path = List.copyOf(path);
    }

    static List<StoredLeaf> allOf(final Collection<Module> modules) {
        final var leaves = new ArrayList<StoredLeaf>();
        modules.forEach(module -> gather(module, List.of(), leaves));
        return leaves;
    }

    private static void gather(final DataNodeContainer parent, final List<NodeIdentifier> path,
            final List<StoredLeaf> leaves) {
        for (var child : parent.getChildNodes()) {
            final var below = append(path, child);
            switch (child) {
                case LeafSchemaNode leaf -> leaves.add(new StoredLeaf(below, parent, leaf));
                case ContainerSchemaNode container -> gather(container, below, leaves);
                case ListSchemaNode list -> gather(list, below, leaves);
                case ChoiceSchemaNode choice -> choice.getCases().forEach(option -> gather(option, below, leaves));
                default -> { }
            }
        }
    }

    private static List<NodeIdentifier> append(final List<NodeIdentifier> path, final DataSchemaNode child) {
        final var below = new ArrayList<>(path);
        below.add(NodeIdentifier.create(child.getQName()));
        return below;
    }

    /** True if it is the one key of a list. */
    boolean isOnlyKey() {
        return parent instanceof ListSchemaNode list && list.getKeyDefinition().equals(List.of(leaf.getQName()));
    }

    /** Name of the list that it is the key of. */
    String listName() {
        return ((ListSchemaNode) parent).getQName().getLocalName();
    }
}
