// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.common.collect.ImmutableMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifierWithPredicates;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.PathArgument;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContext;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContext.Composite;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContext.PathMixin;
import org.opendaylight.yangtools.yang.data.util.DataSchemaContextTree;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveStatementInference;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.Module;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/**
 * Where a path through the data of a module leads. It is written like {@code switches/switch=openflow:1/port}, from
 * the module's one top-level node on: keys with commas between them, and '%' with two hexadecimal digits for a
 * character that has a meaning here.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8040#section-3.5.3">RFC 8040, section 3.5.3</a>
 */
sealed interface DataPath {
    /**
     * A node of the data.
     *
     * @param path where it is
     * @param inParent the part of that from its parent on
     * @param schema what it is; the list for an entry of it
     * @param parent what holds it
     */
    record Found(YangInstanceIdentifier path, YangInstanceIdentifier inParent, DataSchemaNode schema,
            EffectiveStatementInference parent) implements DataPath {
        /** The keys of an entry of a list; empty if it is no entry. */
        Optional<NodeIdentifierWithPredicates> keys() {
            return path.getLastPathArgument() instanceof NodeIdentifierWithPredicates keys ? Optional.of(keys)
                : Optional.empty();
        }

        /** True of a key of the entry that holds it. */
        boolean isKey() {
            final var holders = parent.statementPath();
            return !holders.isEmpty() && holders.getLast() instanceof ListSchemaNode list
                && list.getKeyDefinition().contains(schema.getQName());
        }
    }

    /**
     * The data have no such place.
     *
     * @param reason a sentence that names the part at fault
     */
    record Nowhere(String reason) implements DataPath { }

    /** Follows a path; an empty one leads to the top-level node. */
    static DataPath of(final SluiceModels models, final Module module, final String path) {
        final var walk = new Walk(models);
        final var top = module.getChildNodes().iterator().next();
        walk.enter(top);
        for (var segment : path.isEmpty() ? List.<String>of() : List.of(path.split("/"))) {
            final var parts = segment.split("=", 2);
            final var fields = models.fields(walk.schema);
            if (walk.isAtWholeList()) {
                return new Nowhere("'" + path + "' lacks the keys of '" + walk.name() + "', after '='");
            }
            if (!fields.containsKey(parts[0])) {
                return new Nowhere("there is no '" + parts[0] + "' in '" + walk.name() + "'"
                    + fields.keySet().stream().collect(Collectors.joining(", ", ", only ", "")));
            }
            walk.enter(fields.get(parts[0]));
            if (parts.length == 2 && !walk.select(parts[1])) {
                return new Nowhere("'" + segment + "' does not fit the keys of '" + parts[0] + "'");
            }
        }
        return new Found(YangInstanceIdentifier.of(walk.path),
            YangInstanceIdentifier.of(walk.path.subList(walk.depth, walk.path.size())), walk.schema, walk.parent);
    }

    /** Writes a key so that it can stand in a path. */
    static String encode(final String key) {
        return key.replace("%", "%25").replace("/", "%2F").replace(",", "%2C").replace(" ", "%20");
    }

    /** A position that moves down the tree. */
    final class Walk {
        private final Rfc7951 json;
        private final SchemaInferenceStack stack;
        private final List<PathArgument> path = new ArrayList<>();
        private DataSchemaContext at;
        private DataSchemaNode schema;
        private EffectiveStatementInference parent;
        /** How many steps lead to the parent. */
        private int depth;

        private Walk(final SluiceModels models) {
            json = new Rfc7951(models.context());
            stack = SchemaInferenceStack.of(models.context());
            at = DataSchemaContextTree.from(models.context()).getRoot();
        }

        private String name() {
            return schema.getQName().getLocalName();
        }

        private boolean isAtWholeList() {
            return schema instanceof ListSchemaNode && !(path.getLast() instanceof NodeIdentifierWithPredicates);
        }

        /** Goes to a child; to a list as a whole. */
        private void enter(final DataSchemaNode child) {
            parent = stack.toInference();
            depth = path.size();
            schema = child;
            at = ((Composite) at).enterChild(stack, child.getQName());
            while (at instanceof PathMixin mixin) {
                path.add(mixin.mixinPathStep());
                at = mixin.enterChild(stack, child.getQName());
            }
            if (!(child instanceof ListSchemaNode || child instanceof LeafListSchemaNode)) {
                path.add(at.pathStep());
            }
        }

        /** Goes from a list to an entry; returns false if the keys are not its. */
        private boolean select(final String keys) {
            if (!(schema instanceof ListSchemaNode list)) {
                return false;
            }
            final var values = keys.split(",", -1);
            final var names = list.getKeyDefinition();
            if (values.length != names.size()) {
                return false;
            }
            final var predicates = ImmutableMap.<QName, Object>builder();
            for (int i = 0; i < values.length; i++) {
                final var leaf = (LeafSchemaNode) list.dataChildByName(names.get(i));
                final var position = stack.copy();
                position.enterDataTree(names.get(i));
                try {
                    predicates.put(names.get(i), json.value(leaf, position, decode(values[i])));
                } catch (RuntimeException e) {
                    return false;
                }
            }
            path.add(NodeIdentifierWithPredicates.of(list.getQName(), predicates.build()));
            return true;
        }

        private static String decode(final String value) {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        }
    }
}
