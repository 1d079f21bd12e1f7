// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.DataContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodeContainer;
import org.opendaylight.yangtools.yang.model.api.EffectiveStatementInference;
import org.opendaylight.yangtools.yang.model.api.IdentitySchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.type.BooleanTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EnumTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.IdentityrefTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.LeafrefTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.UnionTypeDefinition;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/**
 * Values that an input, or a leaf of the configuration, may well take: those that its type lists, and those that stand
 * in the datastores now.
 *
 * <p>The latter are the values of a leafref's target; else the keys of lists with one key whose typedef is the leaf's,
 * or one of its union's. If that fits lists of several names, those count that are named like the leaf
 * ({@code service}), else those that the typedef is named for ({@code switch-id}, key {@code id} of {@code switch});
 * else none. So an input that names something new is offered nothing: what names something that is there is a leafref,
 * or is named for it.
 */
final class KnownValues {
    private final SluiceModels models;
    private final DataReader reader;
    private final List<StoredLeaf> stored;

    KnownValues(final SluiceModels models, final DataReader reader) {
        this.models = models;
        this.reader = reader;
        stored = StoredLeaf.allOf(models.areas().values());
    }

    /**
     * Returns the values in order; those of a datastore that can't be read now are left out.
     *
     * @param parent what holds the leaf
     */
    Collection<String> of(final EffectiveStatementInference parent, final TypedDataSchemaNode leaf)
            throws InterruptedException {
        final var values = new TreeSet<String>();
        listed(leaf.getType()).forEach(values::add);
        for (var source : sources(parent, leaf)) {
            for (var store : LogicalDatastoreType.values()) {
                values.addAll(read(store, source.path()));
            }
        }
        return values;
    }

    private Stream<String> listed(final TypeDefinition<?> type) {
        return switch (type) {
            case BooleanTypeDefinition flag -> Stream.of("true", "false");
            case EnumTypeDefinition choices -> choices.getValues().stream().map(EnumTypeDefinition.EnumPair::getName);
            case UnionTypeDefinition union -> union.getTypes().stream().flatMap(this::listed);
            case IdentityrefTypeDefinition reference -> models.context().getModules().stream()
                .flatMap(module -> module.getIdentities().stream())
                .filter(identity -> reference.getIdentities().stream().allMatch(base -> isDerived(identity, base)))
                .map(identity -> models.moduleOf(identity) + ":" + identity.getQName().getLocalName());
            default -> Stream.empty();
        };
    }

    private static boolean isDerived(final IdentitySchemaNode identity, final IdentitySchemaNode base) {
        return identity.getBaseIdentities().stream()
            .anyMatch(parent -> parent.getQName().equals(base.getQName()) || isDerived(parent, base));
    }

    private List<StoredLeaf> sources(final EffectiveStatementInference parent, final TypedDataSchemaNode leaf) {
        if (leaf.getType() instanceof LeafrefTypeDefinition reference) {
            final var stack = SchemaInferenceStack.ofInference(parent);
            stack.enterDataTree(leaf.getQName());
            final var target = stack.resolvePathExpression(reference.getPathStatement());
            return stored.stream().filter(candidate -> candidate.leaf().asEffectiveStatement().equals(target)).toList();
        }
        final var typedefs = typedefs(leaf.getType()).toList();
        final var keys = stored.stream()
            .filter(StoredLeaf::isOnlyKey)
            .filter(key -> TypeText.typedefs(key.leaf().getType()).stream().anyMatch(typedefs::contains))
            .toList();
        if (keys.stream().map(StoredLeaf::listName).distinct().count() < 2) {
            return keys;
        }
        final var name = leaf.getQName().getLocalName();
        return only(keys, key -> key.listName().equals(name))
            .or(() -> only(keys, key -> TypeText.typedefs(key.leaf().getType()).stream().map(QName::getLocalName)
                .anyMatch((key.listName() + "-" + key.leaf().getQName().getLocalName())::equals)))
            .orElse(List.of());
    }

    private static Optional<List<StoredLeaf>> only(final List<StoredLeaf> keys, final Predicate<StoredLeaf> fits) {
        return Optional.of(keys.stream().filter(fits).toList()).filter(found -> !found.isEmpty());
    }

    private static Stream<Object> typedefs(final TypeDefinition<?> type) {
        return Stream.concat(TypeText.typedefs(type).stream(), type instanceof UnionTypeDefinition union
            ? union.getTypes().stream().flatMap(KnownValues::typedefs) : Stream.empty());
    }

    private List<String> read(final LogicalDatastoreType store, final List<NodeIdentifier> path)
            throws InterruptedException {
        final var found = new ArrayList<String>();
        try {
            reader.read(store, YangInstanceIdentifier.of(path.getFirst()))
                .ifPresent(node -> collect(node, path.subList(1, path.size()), found));
        } catch (ReadFailedException e) {
            return List.of();
        }
        return found;
    }

    private static void collect(final NormalizedNode node, final List<NodeIdentifier> path, final List<String> found) {
        if (path.isEmpty()) {
            found.add(node.body().toString());
        } else if (node instanceof DataContainerNode container) {
            final var child = container.childByArg(path.getFirst());
            if (child != null) {
                collect(child, path.subList(1, path.size()), found);
            }
        } else if (node instanceof NormalizedNodeContainer<?> list) {
            list.body().forEach(entry -> collect(entry, path, found));
        }
    }
}
