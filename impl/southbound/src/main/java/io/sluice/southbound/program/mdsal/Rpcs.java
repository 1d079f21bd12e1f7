// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrier;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrierInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrierOutput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeRef;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.Rpc;
import org.opendaylight.yangtools.binding.RpcInput;
import org.opendaylight.yangtools.binding.RpcOutput;
import org.opendaylight.yangtools.yang.common.RpcError;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** The OpenFlow plugin's RPCs for one switch. */
final class Rpcs {
    /**
     * The plugin itself waits for ever for what a switch owes that goes on answering echoes. A batch of all that the
     * switch can hold may take it minutes.
     */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final RpcService rpcService;
    private final String nodeId;
    private final NodeRef node;
    private final Duration patience;

    Rpcs(final RpcService rpcService, final String nodeId) {
        this(rpcService, nodeId, PATIENCE);
    }

    Rpcs(final RpcService rpcService, final String nodeId, final Duration patience) {
        this.rpcService = rpcService;
        this.nodeId = nodeId;
        this.patience = patience;
        node = new NodeRef(DataObjectIdentifier.builder(Nodes.class)
            .child(Node.class, new NodeKey(new NodeId(nodeId))).build());
    }

    String nodeId() {
        return nodeId;
    }

    NodeRef node() {
        return node;
    }

    /** Completes when the switch has carried out all that was sent before; fails if it does not answer. */
    CompletableFuture<SendBarrierOutput> barrier() {
        return demand(SendBarrier.class, new SendBarrierInputBuilder().setNode(node).build());
    }

    /** Invokes an RPC; fails if it could not be invoked or is not answered in time, a refusal is in the result. */
    <I extends RpcInput, O extends RpcOutput> CompletableFuture<RpcResult<O>> invoke(
            final Class<? extends Rpc<I, O>> rpc, final I input) {
        final var result = new CompletableFuture<RpcResult<O>>();
        Futures.addCallback(rpcService.getRpc(rpc).invoke(input), new FutureCallback<RpcResult<O>>() {
            @Override
            public void onSuccess(final RpcResult<O> answer) {
                result.complete(answer);
            }

            @Override
            public void onFailure(final Throwable failure) {
                result.completeExceptionally(failure);
            }
        }, MoreExecutors.directExecutor());
        return result.orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS).exceptionallyCompose(failure ->
            CompletableFuture.failedFuture(failure instanceof TimeoutException
                ? new IllegalStateException("no answer for " + patience.toSeconds() + " s") : failure));
    }

    /** Invokes an RPC of which a refusal is a failure too. */
    <I extends RpcInput, O extends RpcOutput> CompletableFuture<O> demand(final Class<? extends Rpc<I, O>> rpc,
            final I input) {
        return invoke(rpc, input).thenApply(answer -> {
            if (!answer.isSuccessful()) {
                throw new IllegalStateException(reason(answer));
            }
            return answer.getResult();
        });
    }

    /** What the switch, or the plugin on its behalf, said in refusal. */
    static String reason(final RpcResult<?> answer) {
        return answer.getErrors().stream().map(RpcError::getMessage).distinct().collect(Collectors.joining("; "));
    }
}
