// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.engine.BandwidthEngine;
import io.sluice.mdsal.Answers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Explain;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reallocate;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocateInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocateOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocateOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlows;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlowsInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlowsOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlowsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.report.flows.input.Flow;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** The RPCs of {@code sluice-bandwidth}; a refusal is an error with the reason. */
final class BandwidthRpcs {
    private final BandwidthEngine engine;
    private final Supplier<CompletionStage<Void>> refresh;
    private final Executor loop;

    private record Told(Map<FlowId, FlowReport> reports, long intervalUs) { }

    /** Each RPC waits for {@code refresh}, which gives the engine the latest configuration. */
    BandwidthRpcs(final BandwidthEngine engine, final Supplier<CompletionStage<Void>> refresh, final Executor loop) {
        this.engine = engine;
        this.refresh = refresh;
        this.loop = loop;
    }

    Registration register(final RpcProviderService provider) {
        return provider.registerRpcImplementations((ReportFlows) this::reportFlows, (Reallocate) this::reallocate,
            (Explain) this::explain);
    }

    /** All flows of a report count, or none. */
    private ListenableFuture<RpcResult<ReportFlowsOutput>> reportFlows(final ReportFlowsInput input) {
        return Answers.checked(() -> told(input), told -> onLoop(() -> {
            final var known = engine.config().flows().keySet();
            final var unknown = told.reports().keySet().stream().filter(flow -> !known.contains(flow)).toList();
            if (!unknown.isEmpty()) {
                return CompletableFuture.completedStage(Answers.refusal(ErrorTag.DATA_MISSING,
                    "no flows are named " + unknown + "; add them to the configuration"));
            }
            told.reports().forEach((flow, report) -> engine.report(flow, report, told.intervalUs()));
            return CompletableFuture.completedStage(Answers.success(new ReportFlowsOutputBuilder().build()));
        }));
    }

    private ListenableFuture<RpcResult<ReallocateOutput>> reallocate(final ReallocateInput input) {
        return Answers.of(onLoop(() -> engine.reallocate().thenApply(outcome -> outcome.refusal().isPresent()
            ? RpcResultBuilder.<ReallocateOutput>failed().withError(ErrorType.APPLICATION, ErrorTag.RESOURCE_DENIED,
                outcome.refusal().orElseThrow(), "guarantees-overfill-link", null, null).build()
            : Answers.success(new ReallocateOutputBuilder().setMeterChanges(Uint32.valueOf(outcome.changes()))
                .setAllocation(outcome.rates().stream().map(StateCodec::answer).collect(BindingMap.toOrderedMap()))
                .build()))));
    }

    private ListenableFuture<RpcResult<ExplainOutput>> explain(final ExplainInput input) {
        return Answers.checked(() -> new FlowId(new ApplicationId(input.requireTenant().getValue(),
            input.requireApplication().getValue()), input.requireFlow().getValue()), id ->
            onLoop(() -> CompletableFuture.completedStage(engine.explain(id).map(StateCodec::explanation)
                .map(Answers::success).orElseGet(() -> Answers.refusal(ErrorTag.DATA_MISSING,
                    "no flow is named " + id + "; add it to the configuration")))));
    }

    private static Told told(final ReportFlowsInput input) {
        final var application = new ApplicationId(input.requireTenant().getValue(),
            input.requireApplication().getValue());
        final var reports = new LinkedHashMap<FlowId, FlowReport>();
        input.nonnullFlow().values().forEach(flow ->
            reports.put(new FlowId(application, flow.requireName().getValue()), report(flow)));
        return new Told(reports, input.requireInterval().getValue().toJava());
    }

    private static FlowReport report(final Flow flow) {
        return new FlowReport(bytes(flow.requireTransferred()), bytes(flow.requireSenderBefore()),
            bytes(flow.requireSenderAfter()), bytes(flow.requireReceiverBefore()),
            bytes(flow.requireReceiverAfter()));
    }

    /** More than a network carries in a century is cut off. */
    private static long bytes(final Uint64 bytes) {
        final long most = Long.MAX_VALUE / 4;
        return bytes.longValue() < 0 ? most : Math.min(most, bytes.longValue());
    }

    private <O> CompletionStage<RpcResult<O>> onLoop(final Supplier<CompletionStage<RpcResult<O>>> task) {
        return refresh.get().thenComposeAsync(refreshed -> task.get(), loop);
    }
}
