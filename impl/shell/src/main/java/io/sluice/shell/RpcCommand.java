// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.dom.api.DOMRpcResult;
import org.opendaylight.mdsal.dom.api.DOMRpcService;
import org.opendaylight.yangtools.yang.common.ErrorSeverity;
import org.opendaylight.yangtools.yang.common.RpcError;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

/** The command of one RPC, named {@code <area>-<rpc>}. */
final class RpcCommand implements LineCommand {
    private final String name;
    private final RpcDefinition rpc;
    private final SluiceModels models;
    private final DOMRpcService rpcs;
    private final KnownValues values;
    private final Rfc7951 json;
    private final RequestReader requests;
    private final Map<String, DataSchemaNode> options;

    RpcCommand(final String area, final RpcDefinition rpc, final SluiceModels models, final DOMRpcService rpcs,
            final KnownValues values) {
        name = area + "-" + rpc.getQName().getLocalName();
        this.rpc = rpc;
        this.models = models;
        this.rpcs = rpcs;
        this.values = values;
        json = new Rfc7951(models.context());
        options = models.fields(rpc.getInput());
        options.keySet().removeAll(OptionLine.RESERVED);
        requests = new RequestReader(models, rpc, options, json);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return SluiceModels.describe(rpc).replaceFirst("(?<=\\.) .*", "");
    }

    @Override
    public Answer run(final List<String> words) throws InterruptedException {
        return switch (requests.read(words)) {
            case Request.Help help -> new Answer.Help(HelpPage.of(models, name, rpc, options));
            case Request.Refused refused -> new Answer.Refused(refused.reason());
            case Request.Call call -> invoke(call);
        };
    }

    private Answer invoke(final Request.Call call) throws InterruptedException {
        final DOMRpcResult result;
        try {
            result = rpcs.invokeRpc(rpc.getQName(), call.input()).get();
        } catch (ExecutionException e) {
            return new Answer.Refused(String.valueOf(e.getCause().getMessage()));
        }
        final var errors = result.errors().stream()
            .filter(error -> error.getSeverity() == ErrorSeverity.ERROR).toList();
        return errors.isEmpty() ? new Answer.Text(print(result, call.json())) : new Answer.Refused(messages(errors));
    }

    private static String messages(final Collection<? extends RpcError> errors) {
        return errors.stream()
            .map(error -> error.getMessage() == null ? error.getTag().elementBody() : error.getMessage())
            .collect(Collectors.joining("; "));
    }

    private String print(final DOMRpcResult result, final boolean asJson) {
        final var stack = SchemaInferenceStack.of(models.context());
        stack.enterSchemaTree(rpc.getQName());
        stack.enterSchemaTree(rpc.getOutput().getQName());
        final var output = result.value() == null ? new JsonObject()
            : json.members(stack.toInference(), rpc.getQName().getNamespace(), result.value().body());
        if (asJson) {
            final var envelope = new JsonObject();
            envelope.add(models.moduleOf(rpc) + ":output", output);
            return Rfc7951.print(envelope);
        }
        return output.isEmpty() ? "done" : TextReport.of(models, rpc.getOutput(), output);
    }

    @Override
    public List<String> complete(final List<String> before, final String word) throws InterruptedException {
        final var unused = new ArrayList<>(options.keySet());
        unused.addAll(OptionLine.RESERVED);
        for (int at = 0; at < before.size(); at++) {
            final var option = before.get(at).replaceFirst("^--([^=]*).*", "$1");
            if (!mayRepeat(option)) {
                unused.remove(option);
            }
            if (OptionLine.takesValue(options, option) && !before.get(at).contains("=") && ++at == before.size()) {
                return valuesOf(option);
            }
        }
        return unused.stream().map(option -> "--" + option).toList();
    }

    private List<String> valuesOf(final String option) throws InterruptedException {
        final var input = SchemaInferenceStack.of(models.context());
        input.enterSchemaTree(rpc.getQName());
        input.enterSchemaTree(rpc.getInput().getQName());
        return options.get(option) instanceof TypedDataSchemaNode leaf
            ? List.copyOf(values.of(input.toInference(), leaf)) : List.of();
    }

    private boolean mayRepeat(final String option) {
        return options.get(option) instanceof LeafListSchemaNode || options.get(option) instanceof ListSchemaNode;
    }
}
