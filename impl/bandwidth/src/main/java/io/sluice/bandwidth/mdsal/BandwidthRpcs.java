// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.api.Failures;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.engine.BandwidthEngine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
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
        return checked(() -> told(input), told -> {
            final var known = engine.config().flows().keySet();
            final var unknown = told.reports().keySet().stream().filter(flow -> !known.contains(flow)).toList();
            if (!unknown.isEmpty()) {
                return failed(RpcResultBuilder.<ReportFlowsOutput>failed().withError(ErrorType.APPLICATION,
                    ErrorTag.DATA_MISSING, "no flows are named " + unknown + "; add them to the configuration"));
            }
            told.reports().forEach((flow, report) -> engine.report(flow, report, told.intervalUs()));
            return CompletableFuture.completedStage(
                RpcResultBuilder.success(new ReportFlowsOutputBuilder().build()).build());
        });
    }

    private ListenableFuture<RpcResult<ReallocateOutput>> reallocate(final ReallocateInput input) {
        return onLoop(() -> engine.reallocate().thenCompose(outcome -> outcome.refusal().isPresent()
            ? failed(RpcResultBuilder.<ReallocateOutput>failed().withError(ErrorType.APPLICATION,
                ErrorTag.RESOURCE_DENIED, outcome.refusal().orElseThrow(), "guarantees-overfill-link", null, null))
            : CompletableFuture.completedStage(RpcResultBuilder.success(new ReallocateOutputBuilder()
                .setMeterChanges(Uint32.valueOf(outcome.changes()))
                .setAllocation(outcome.rates().stream().map(StateCodec::answer).collect(BindingMap.toOrderedMap()))
                .build()).build())));
    }

    private ListenableFuture<RpcResult<ExplainOutput>> explain(final ExplainInput input) {
        return checked(() -> new FlowId(new ApplicationId(input.requireTenant().getValue(),
            input.requireApplication().getValue()), input.requireFlow().getValue()), id ->
            engine.explain(id).map(StateCodec::explanation)
                .map(output -> CompletableFuture.completedStage(RpcResultBuilder.success(output).build()))
                .orElseGet(() -> failed(RpcResultBuilder.<ExplainOutput>failed().withError(ErrorType.APPLICATION,
                    ErrorTag.DATA_MISSING, "no flow is named " + id + "; add it to the configuration"))));
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

    private static <O> CompletionStage<RpcResult<O>> failed(final RpcResultBuilder<O> refusal) {
        return CompletableFuture.completedStage(refusal.build());
    }

    /** Answers what was read of the input; MD-SAL lets absent mandatory leaves through. */
    private <I, O> ListenableFuture<RpcResult<O>> checked(final Supplier<I> reading,
            final Function<I, CompletionStage<RpcResult<O>>> task) {
        final I input;
        try {
            input = reading.get();
        } catch (NoSuchElementException e) {
            return RpcResultBuilder.<O>failed()
                .withError(ErrorType.APPLICATION, ErrorTag.MISSING_ELEMENT, e.getMessage()).buildFuture();
        }
        return onLoop(() -> task.apply(input));
    }

    private <O> ListenableFuture<RpcResult<O>> onLoop(final Supplier<CompletionStage<RpcResult<O>>> task) {
        final var answer = SettableFuture.<RpcResult<O>>create();
        refresh.get().thenComposeAsync(refreshed -> task.get(), loop).whenComplete((result, failure) ->
            answer.set(failure == null ? result
                : RpcResultBuilder.<O>failed().withError(ErrorType.APPLICATION, Failures.reason(failure)).build()));
        return answer;
    }
}
