// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.Optional;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.DataContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodeContainer;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;
import org.opendaylight.yangtools.yang.model.api.CaseSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ChoiceSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ElementCountConstraint;
import org.opendaylight.yangtools.yang.model.api.ElementCountConstraintAware;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.MandatoryAware;

/**
 * Finds what a model demands and data lack: mandatory nodes and least numbers of elements, which MD-SAL does not check
 * in the input of an RPC, and in a datastore only when all is stored. State is not asked for.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7950#section-3">RFC 7950, section 3: mandatory node</a>
 */
final class Missing {
    /** Stands between what a choice offers. */
    static final String OR = " or ";

    private Missing() {
    }

    /** Returns the path of the first node that is missing, names with slashes between them. */
    static Optional<String> in(final DataNodeContainer schema, final DataContainerNode data) {
        for (var child : schema.getChildNodes()) {
            final var missing = child(child, data.childByArg(NodeIdentifier.create(child.getQName())));
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> child(final DataSchemaNode schema, final NormalizedNode data) {
        if (!SluiceModels.isConfiguration(schema)) {
            return Optional.empty();
        }
        final var name = name(schema);
        if (data == null && schema instanceof MandatoryAware aware && aware.isMandatory()
                || schema instanceof ElementCountConstraintAware counted && size(data) < least(counted)) {
            return Optional.of(name);
        }
        return switch (schema) {
            case ContainerSchemaNode container -> container(container, (DataContainerNode) data)
                .map(rest -> name + "/" + rest);
            case ListSchemaNode list when data != null -> ((NormalizedNodeContainer<?>) data).body().stream()
                .flatMap(entry -> in(list, (DataContainerNode) entry).stream())
                .findFirst().map(rest -> name + "/" + rest);
            case ChoiceSchemaNode choice when data != null -> choice.getCases().stream()
                .filter(option -> isChosen(option, (DataContainerNode) data))
                .flatMap(option -> in(option, (DataContainerNode) data).stream())
                .findFirst();
            default -> Optional.empty();
        };
    }

    /** A choice has no name in data: what it offers stands for it. */
    private static String name(final DataSchemaNode schema) {
        return schema instanceof ChoiceSchemaNode choice ? choice.getCases().stream()
            .flatMap(option -> option.getChildNodes().stream()).map(Missing::name)
            .collect(Collectors.joining(OR)) : schema.getQName().getLocalName();
    }

    private static Optional<String> container(final ContainerSchemaNode schema, final DataContainerNode data) {
        if (data != null) {
            return in(schema, data);
        }
        return schema.isPresenceContainer() ? Optional.empty() : in(schema, ImmutableNodes.newContainerBuilder()
            .withNodeIdentifier(NodeIdentifier.create(schema.getQName())).build());
    }

    private static boolean isChosen(final CaseSchemaNode option, final DataContainerNode data) {
        return option.getChildNodes().stream()
            .anyMatch(child -> data.childByArg(NodeIdentifier.create(child.getQName())) != null);
    }

    private static int size(final NormalizedNode data) {
        return data == null ? 0 : ((NormalizedNodeContainer<?>) data).size();
    }

    private static int least(final ElementCountConstraintAware schema) {
        return schema.getElementCountConstraint().map(ElementCountConstraint::getMinElements).orElse(0);
    }
}
