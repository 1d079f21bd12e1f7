// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.common.base.Throwables;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangNetconfError;
import org.opendaylight.yangtools.yang.data.api.YangNetconfErrorAware;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveStatementInference;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** Reads the words of a command line into the input of one RPC. */
final class RequestReader {
    private final RpcDefinition rpc;
    private final Rfc7951 json;
    private final Map<String, DataSchemaNode> options;
    private final String module;
    private final EffectiveStatementInference inference;

    RequestReader(final SluiceModels models, final RpcDefinition rpc, final Map<String, DataSchemaNode> options,
            final Rfc7951 json) {
        this.rpc = rpc;
        this.options = options;
        this.json = json;
        module = models.moduleOf(rpc);
        final var stack = SchemaInferenceStack.of(models.context());
        stack.enterSchemaTree(rpc.getQName());
        stack.enterSchemaTree(rpc.getInput().getQName());
        inference = stack.toInference();
    }

    Request read(final List<String> words) {
        final var line = new OptionLine(options, module);
        final var wrong = line.read(words);
        if (line.help()) {
            return new Request.Help();
        }
        return wrong.<Request>map(Request.Refused::new).orElseGet(() -> request(line));
    }

    private Request request(final OptionLine line) {
        final ContainerNode input;
        try {
            input = container(line.members());
        } catch (RuntimeException e) {
            return new Request.Refused(blame(line.members(), e));
        }
        return MissingInput.in(rpc.getInput(), input)
            .<Request>map(path -> new Request.Refused("--" + path + " is missing" + meaning(path)))
            .orElseGet(() -> new Request.Call(input, line.json()));
    }

    private String meaning(final String option) {
        return options.containsKey(option) ? ": " + SluiceModels.describe(options.get(option)) : "";
    }

    private ContainerNode container(final JsonObject members) {
        return json.container(inference, NodeIdentifier.create(rpc.getInput().getQName()), members);
    }

    /** Says which option is at fault: the first that fails alone. */
    private String blame(final JsonObject members, final RuntimeException failure) {
        for (var member : members.entrySet()) {
            final var alone = new JsonObject();
            alone.add(member.getKey(), member.getValue());
            try {
                container(alone);
            } catch (RuntimeException e) {
                return "--" + member.getKey() + (options.get(member.getKey()) instanceof TypedDataSchemaNode leaf
                    ? wrongValue(leaf.getType(), member.getValue(), reason(e)) : ": " + reason(e));
            }
        }
        return reason(failure);
    }

    /** The type's own error message if it has one for this, else what the type is. */
    private static String wrongValue(final TypeDefinition<?> type, final JsonElement value, final String reason) {
        return TypeText.errorMessages(type).anyMatch(reason::equals) ? ": " + reason
            : " takes " + TypeText.describe(type) + ", not " + value;
    }

    /**
     * What was found wrong, else what the innermost cause says, in its first line; revisions of modules are of no use
     * to the reader.
     */
    private static String reason(final RuntimeException failure) {
        final var chain = Throwables.getCausalChain(failure);
        return chain.stream()
            .filter(YangNetconfErrorAware.class::isInstance)
            .flatMap(cause -> ((YangNetconfErrorAware) cause).getNetconfErrors().stream())
            .map(YangNetconfError::message)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseGet(() -> String.valueOf(chain.getLast().getMessage()).lines().findFirst().orElse("")
                .replaceAll("\\(urn:[^)]*\\)", ""));
    }
}
