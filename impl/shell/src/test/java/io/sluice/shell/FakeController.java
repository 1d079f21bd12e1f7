// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.mdsal.dom.api.DOMRpcAvailabilityListener;
import org.opendaylight.mdsal.dom.api.DOMRpcResult;
import org.opendaylight.mdsal.dom.api.DOMRpcService;
import org.opendaylight.mdsal.dom.spi.DefaultDOMRpcResult;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.common.RpcError;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNodes;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.RpcDefinition;
import org.opendaylight.yangtools.yang.model.api.source.SourceIdentifier;
import org.opendaylight.yangtools.yang.model.spi.source.DelegatedYangTextSource;
import org.opendaylight.yangtools.yang.model.spi.source.URLYangTextSource;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;
import org.opendaylight.yangtools.yang.parser.api.YangParserException;
import org.opendaylight.yangtools.yang.parser.impl.DefaultYangParserFactory;

/** The commands of all our models, and of one for tests, with RPCs and data that a test makes up. */
final class FakeController implements DOMRpcService, DataReader, DataWriter {
    private static final EffectiveModelContext CONTEXT = parse();

    private final SluiceModels models = new SluiceModels(CONTEXT);
    private final Map<LogicalDatastoreType, Map<QName, ContainerNode>> stores = new HashMap<>();
    private final Map<YangInstanceIdentifier, NormalizedNode> written = new HashMap<>();
    private final List<YangInstanceIdentifier> deleted = new ArrayList<>();
    private ListenableFuture<DOMRpcResult> answer;
    /** What the last RPC was given; null if none was invoked. */
    private ContainerNode input;
    private Optional<String> fault = Optional.empty();

    private static EffectiveModelContext parse() {
        try {
            final var parser = new DefaultYangParserFactory().createParser();
            for (var info : BindingRuntimeHelpers.loadModuleInfos()) {
                parser.addSource(new DelegatedYangTextSource(new SourceIdentifier(info.getName().getLocalName(),
                    info.getName().getRevision().orElse(null)), info.getYangTextCharSource()));
            }
            return parser.addSource(new URLYangTextSource(FakeController.class.getResource("/sluice-shell-test.yang")))
                .buildEffectiveModel();
        } catch (IOException | YangParserException e) {
            throw new IllegalStateException(e);
        }
    }

    SluiceModels models() {
        return models;
    }

    List<LineCommand> commands() {
        return Commands.of(CONTEXT, this, this, this);
    }

    LineCommand command(final String name) {
        return commands().stream().filter(command -> command.name().equals(name)).findFirst().orElseThrow();
    }

    RpcDefinition rpc(final String area, final String name) {
        return models.areas().get(area).getRpcs().stream().map(RpcDefinition.class::cast)
            .filter(rpc -> rpc.getQName().getLocalName().equals(name)).findFirst().orElseThrow();
    }

    /** Lets RPCs answer with this output. */
    void answer(final RpcDefinition rpc, final String json) {
        final var stack = SchemaInferenceStack.of(CONTEXT);
        stack.enterSchemaTree(rpc.getQName());
        stack.enterSchemaTree(rpc.getOutput().getQName());
        answer = Futures.immediateFuture(new DefaultDOMRpcResult(container(stack, rpc.getOutput().getQName(), json)));
    }

    /** Lets RPCs answer with these errors. */
    void refuse(final RpcError... errors) {
        answer = Futures.immediateFuture(new DefaultDOMRpcResult(List.of(errors)));
    }

    /** Lets RPCs break. */
    void fail(final Exception failure) {
        answer = Futures.immediateFailedFuture(failure);
    }

    Optional<ContainerNode> input() {
        return Optional.ofNullable(input);
    }

    /** Fills the top-level container of an area. */
    void store(final LogicalDatastoreType store, final String area, final String json) {
        final var name = models.areas().get(area).getChildNodes().iterator().next().getQName();
        final var stack = SchemaInferenceStack.of(CONTEXT);
        stack.enterDataTree(name);
        stores.computeIfAbsent(store, any -> new HashMap<>()).put(name, container(stack, name, json));
    }

    /** Lets the datastores take nothing more. */
    void breakDown(final String reason) {
        fault = Optional.of(reason);
    }

    /** What was put into the configuration, and where. */
    Map<YangInstanceIdentifier, NormalizedNode> written() {
        return Map.copyOf(written);
    }

    /** What was removed from the configuration. */
    List<YangInstanceIdentifier> deleted() {
        return List.copyOf(deleted);
    }

    /** Where a path of an area leads. */
    DataPath.Found place(final String area, final String path) {
        return (DataPath.Found) DataPath.of(models, models.areas().get(area), path);
    }

    private static ContainerNode container(final SchemaInferenceStack stack, final QName name, final String json) {
        return new Rfc7951(CONTEXT).container(stack.toInference(), NodeIdentifier.create(name),
            JsonParser.parseString(json).getAsJsonObject());
    }

    @Override
    public ListenableFuture<? extends DOMRpcResult> invokeRpc(final QName type, final ContainerNode given) {
        input = given;
        return answer;
    }

    @Override
    public Registration registerRpcListener(final DOMRpcAvailabilityListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<NormalizedNode> read(final LogicalDatastoreType store, final YangInstanceIdentifier path) {
        final var steps = new ArrayList<>(path.getPathArguments());
        final var root = stores.getOrDefault(store, Map.of()).get(steps.removeFirst().getNodeType());
        return Optional.ofNullable(root).flatMap(found -> NormalizedNodes.findNode(found, steps));
    }

    @Override
    public void put(final YangInstanceIdentifier path, final NormalizedNode node)
            throws TransactionCommitFailedException {
        checkFault();
        written.put(path, node);
    }

    @Override
    public void delete(final YangInstanceIdentifier path) throws TransactionCommitFailedException {
        checkFault();
        deleted.add(path);
    }

    private void checkFault() throws TransactionCommitFailedException {
        if (fault.isPresent()) {
            throw new TransactionCommitFailedException(fault.orElseThrow());
        }
    }
}
