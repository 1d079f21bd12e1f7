// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.engine.Admission;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthEngine;
import io.sluice.mdsal.Answers;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Explain;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reallocate;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocateInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocateOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocateOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplication;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplicationInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplicationOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlows;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlowsInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlowsOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlowsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.UnregisterApplication;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.UnregisterApplicationInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.UnregisterApplicationOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.UnregisterApplicationOutputBuilder;
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
    private final ApplicationWrites writes;
    private final Executor loop;
    /** The registration that was called for last, as far as it writes. */
    private CompletionStage<?> registration = CompletableFuture.completedStage(null);

    private record Wanted(ApplicationId id, ApplicationConfig config, RegisterApplicationInput input) { }

    private record Told(Map<FlowId, FlowReport> reports, long intervalUs) { }

    /** Each RPC waits for {@code refresh}, which gives the engine the latest configuration. */
    BandwidthRpcs(final BandwidthEngine engine, final Supplier<CompletionStage<Void>> refresh,
            final ApplicationWrites writes, final Executor loop) {
        this.engine = engine;
        this.refresh = refresh;
        this.writes = writes;
        this.loop = loop;
    }

    Registration register(final RpcProviderService provider) {
        return provider.registerRpcImplementations((RegisterApplication) this::registerApplication,
            (UnregisterApplication) this::unregisterApplication, (ReportFlows) this::reportFlows,
            (Reallocate) this::reallocate, (Explain) this::explain);
    }

    private ListenableFuture<RpcResult<RegisterApplicationOutput>> registerApplication(
            final RegisterApplicationInput input) {
        return Answers.checked(() -> wanted(input), wanted -> inTurn(() -> written(wanted)).thenCompose(refusal ->
            refusal.<CompletionStage<RpcResult<RegisterApplicationOutput>>>map(CompletableFuture::completedStage)
                .orElseGet(() -> onLoop(() -> engine.taken().thenApply(taken ->
                    Answers.success(StateCodec.registered(engine.flows(), wanted.id())))))));
    }

    /** Each registration is checked beside what all before it have written. */
    private synchronized <T> CompletionStage<T> inTurn(final Supplier<CompletionStage<T>> task) {
        final var turn = registration.handle((done, failure) -> done).thenCompose(done -> task.get());
        registration = turn;
        return turn;
    }

    /** Writes an application, or tells why not. */
    private CompletionStage<Optional<RpcResult<RegisterApplicationOutput>>> written(final Wanted wanted) {
        return onLoop(() -> switch (engine.admit(wanted.id().tenant(), wanted.config())) {
            case Admission.NotEnforceable(var faults) -> CompletableFuture.completedStage(Optional.of(refusal(
                ErrorTag.INVALID_VALUE, "flow-not-enforceable", faults.entrySet().stream()
                    .map(fault -> "flow " + fault.getKey() + ": " + fault.getValue()).sorted()
                    .collect(Collectors.joining("; ")))));
            case Admission.Overfull(var reason) -> CompletableFuture.completedStage(Optional.of(overfull(reason)));
            case Admission.Admitted admitted -> writes.put(wanted.id(), wanted.input())
                .thenApply(written -> Optional.empty());
        });
    }

    private ListenableFuture<RpcResult<UnregisterApplicationOutput>> unregisterApplication(
            final UnregisterApplicationInput input) {
        return Answers.checked(() -> new ApplicationId(input.requireTenant().getValue(),
            input.requireApplication().getValue()), id -> onLoop(() -> engine.config().flows(id).isEmpty()
                ? CompletableFuture.completedStage(Answers.refusal(ErrorTag.DATA_MISSING,
                    "no application is named " + id + "; look its name up in the configuration"))
                : writes.delete(id).thenCompose(deleted -> onLoop(() -> engine.taken().thenApply(taken ->
                    Answers.success(new UnregisterApplicationOutputBuilder().build()))))));
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
            ? BandwidthRpcs.<ReallocateOutput>overfull(outcome.refusal().orElseThrow())
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

    /** What can't be read of a flow is an error that names it. */
    private static Wanted wanted(final RegisterApplicationInput input) {
        final var id = new ApplicationId(input.requireTenant().getValue(), input.requireApplication().getValue());
        final var unreadable = new TreeMap<String, String>();
        final var config = ConfigCodec.decode(id, input, input.nonnullFlow().values(), unreadable);
        if (!unreadable.isEmpty()) {
            throw new IllegalArgumentException(unreadable.firstKey() + ": " + unreadable.firstEntry().getValue());
        }
        return new Wanted(id, config, input);
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

    /** What is more than any flow carries is cut off. */
    private static long bytes(final Uint64 bytes) {
        return bytes.longValue() < 0 ? FlowReport.MOST_BYTES : Math.min(FlowReport.MOST_BYTES, bytes.longValue());
    }

    private static <O> RpcResult<O> overfull(final String reason) {
        return refusal(ErrorTag.RESOURCE_DENIED, "guarantees-overfill-link", reason);
    }

    private static <O> RpcResult<O> refusal(final ErrorTag tag, final String appTag, final String reason) {
        return RpcResultBuilder.<O>failed().withError(ErrorType.APPLICATION, tag, reason, appTag, null, null).build();
    }

    private <T> CompletionStage<T> onLoop(final Supplier<CompletionStage<T>> task) {
        return refresh.get().thenComposeAsync(refreshed -> task.get(), loop);
    }
}
