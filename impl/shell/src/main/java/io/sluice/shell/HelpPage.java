// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.List;
import java.util.Map;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ElementCountConstraint;
import org.opendaylight.yangtools.yang.model.api.ElementCountConstraintAware;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.MandatoryAware;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;

/** What a command does and takes, or a place holds, in the words of its model. */
final class HelpPage {
    private static final String INDENT = "    ";

    private final SluiceModels models;
    private final StringBuilder page = new StringBuilder();

    private HelpPage(final SluiceModels models) {
        this.models = models;
    }

    static String of(final SluiceModels models, final String command, final RpcDefinition rpc,
            final Map<String, DataSchemaNode> options) {
        final var help = new HelpPage(models);
        help.line("", command + ": RPC " + rpc.getQName().getLocalName() + " of " + models.moduleOf(rpc));
        help.line("", SluiceModels.describe(rpc));
        help.line("", "");
        options.forEach((name, schema) -> help.option("", OptionLine.takesValue(options, name)
            ? "--" + name + (schema instanceof TypedDataSchemaNode ? " VALUE" : " JSON") : "--" + name, schema));
        if (!options.isEmpty()) {
            help.line("", "");
        }
        help.line("", "--input JSON  all of this as RFC 7951 has it; the options count before it");
        help.line("", "--json        answer as RFC 7951 has it");
        help.line("", "--help        this page");
        return help.page.toString().stripTrailing();
    }

    /** What a place of the configuration is, and what is configured in it; of an entry, beside its keys. */
    static String of(final SluiceModels models, final String path, final DataPath.Found place) {
        final var help = new HelpPage(models);
        final var schema = place.schema();
        if (place.keys().isPresent()) {
            help.describe("", path, schema, ((ListSchemaNode) schema).getKeyDefinition());
        } else {
            help.option("", path, schema);
        }
        return help.page.toString().stripTrailing();
    }

    private void option(final String indent, final String title, final DataSchemaNode schema) {
        describe(indent, title + remarks(schema), schema, List.of());
    }

    private void describe(final String indent, final String title, final DataSchemaNode schema,
            final List<QName> leftOut) {
        line(indent, title);
        final var deeper = indent + INDENT;
        if (schema instanceof TypedDataSchemaNode typed) {
            line(deeper, TypeText.describe(typed));
        }
        line(deeper, SluiceModels.describe(schema));
        models.fields(schema).forEach((name, member) -> {
            if (SluiceModels.isConfiguration(member) && !leftOut.contains(member.getQName())) {
                option(deeper, name, member);
            }
        });
    }

    private static String remarks(final DataSchemaNode schema) {
        final var least = schema instanceof ElementCountConstraintAware counted
            ? counted.getElementCountConstraint().map(ElementCountConstraint::getMinElements).orElse(0) : 0;
        final var mandatory = schema instanceof MandatoryAware aware && aware.isMandatory() || least > 0;
        final var repeatable = schema instanceof LeafListSchemaNode || schema instanceof ListSchemaNode;
        return (mandatory ? "  (mandatory)" : "") + (repeatable ? "  (may be repeated)" : "");
    }

    private void line(final String indent, final String text) {
        page.append(indent).append(text).append('\n');
    }
}
