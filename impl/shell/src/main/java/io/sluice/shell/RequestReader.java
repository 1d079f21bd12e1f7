// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveStatementInference;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
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
        return Missing.in(rpc.getInput(), input)
            .<Request>map(path -> new Request.Refused("--" + path.replace(Missing.OR, Missing.OR + "--")
                + " is missing" + meaning(path)))
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
                return "--" + member.getKey() + Misfit.of(options.get(member.getKey()), member.getValue(), e);
            }
        }
        return Misfit.reason(failure);
    }
}
