// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.mdsal.Answers;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.engine.MultipathEngine;
import io.sluice.multipath.engine.Refusal;
import io.sluice.multipath.steering.FlowRecord;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Explain;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ExplainInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ExplainOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.input.Subject;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.input.subject.Client;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.input.subject.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.input.subject.Transfer;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** Answers {@code explain} from what was written down when flows were placed or refused. */
final class ExplainRpc implements Explain {
    private final MultipathEngine engine;
    private final Executor loop;

    /** Flows and a refusal that answer a question, and what to say if there are none. */
    private record Known(List<FlowState> flows, Optional<Refusal> refusal, String otherwise) { }

    ExplainRpc(final MultipathEngine engine, final Executor loop) {
        this.engine = engine;
        this.loop = loop;
    }

    @Override
    public ListenableFuture<RpcResult<ExplainOutput>> invoke(final ExplainInput input) {
        return Answers.checked(() -> question(input.getSubject()), question ->
            CompletableFuture.supplyAsync(() -> answer(question.get()), loop));
    }

    /** Reads all of the input now; looks for the answer later. */
    private Supplier<Known> question(final Subject subject) {
        return switch (subject) {
            case null -> throw new NoSuchElementException("flow, transfer or client is missing");
            case Flow flow -> {
                final long id = flow.getFlow().longValue();
                yield () -> new Known(flows(record -> record.id() == id), Optional.empty(),
                    "there is no flow " + Long.toUnsignedString(id) + " now");
            }
            case Transfer transfer -> {
                final var name = transfer.getTransfer().getValue();
                yield () -> new Known(flows(record -> record.purpose().transfer().filter(name::equals).isPresent()),
                    engine.refusals().ofTransfer(name),
                    "transfer " + name + " has no flows, and no refusal of it is remembered");
            }
            case Client client -> {
                final var address = Values.address(client.getClient());
                yield () -> new Known(List.of(), engine.refusals().ofClient(address),
                    "no refused connection of " + address.getHostAddress() + " is remembered");
            }
            default -> throw new IllegalArgumentException("no such subject: " + subject);
        };
    }

    private List<FlowState> flows(final Predicate<FlowRecord> wanted) {
        return engine.flows().stream().filter(flow -> wanted.test(flow.record())).toList();
    }

    private static RpcResult<ExplainOutput> answer(final Known known) {
        return known.flows().isEmpty() && known.refusal().isEmpty()
            ? Answers.refusal(ErrorTag.DATA_MISSING, known.otherwise())
            : Answers.success(new ExplainOutputBuilder()
                .setDecision(known.flows().stream().map(ExplainCodec::decision).collect(BindingMap.toOrderedMap()))
                .setRefusal(known.refusal().map(ExplainCodec::refusal).orElse(null)).build());
    }
}
