// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opendaylight.yangtools.yang.model.api.ChoiceSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataNodeContainer;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DocumentedNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.Module;
import org.opendaylight.yangtools.yang.model.api.SchemaNode;

/**
 * Our modules among all that the controller knows.
 *
 * @param context all models
 */
record SluiceModels(EffectiveModelContext context) {
    private static final String OURS = "urn:sluice:";

    /** Our modules that have RPCs or data, by area: {@code fabric} for {@code urn:sluice:fabric}. */
    Map<String, Module> areas() {
        final var areas = new TreeMap<String, Module>();
        for (var module : context.getModules()) {
            final var namespace = module.getNamespace().toString();
            if (namespace.startsWith(OURS) && !(module.getRpcs().isEmpty() && module.getChildNodes().isEmpty())) {
                areas.put(namespace.substring(OURS.length()).replace(':', '-'), module);
            }
        }
        return areas;
    }

    /** Name of the module that a node's name belongs to. */
    String moduleOf(final SchemaNode node) {
        return context.findModule(node.getQName().getModule()).orElseThrow().getName();
    }

    /**
     * Children of a node as they are named in its JSON (RFC 7951, section 4): with their module only if it is another
     * than the node's. Choices and cases leave no trace there.
     */
    Map<String, DataSchemaNode> fields(final SchemaNode parent) {
        final var fields = new LinkedHashMap<String, DataSchemaNode>();
        if (parent instanceof DataNodeContainer container) {
            for (var child : withoutChoices(container)) {
                final var name = child.getQName();
                fields.put(name.getModule().equals(parent.getQName().getModule()) ? name.getLocalName()
                    : moduleOf(child) + ":" + name.getLocalName(), child);
            }
        }
        return fields;
    }

    private static List<DataSchemaNode> withoutChoices(final DataNodeContainer parent) {
        final var children = new ArrayList<DataSchemaNode>();
        for (var child : parent.getChildNodes()) {
            if (child instanceof ChoiceSchemaNode choice) {
                choice.getCases().forEach(option -> children.addAll(withoutChoices(option)));
            } else {
                children.add(child);
            }
        }
        return children;
    }

    /** False for state; true also for the input and output of RPCs. */
    static boolean isConfiguration(final DataSchemaNode node) {
        return node.effectiveConfig().orElse(Boolean.TRUE);
    }

    /** A node's description on one line; empty if it has none. */
    static String describe(final DocumentedNode node) {
        return node.getDescription().orElse("").strip().replaceAll("\\s+", " ");
    }
}
