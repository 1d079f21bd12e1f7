// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.plan.WhatIf;
import io.sluice.planner.run.Run;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRun;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRunInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRunOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRunOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.PlannerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRun;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRunInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRunOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRunOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfOutput;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The RPCs of {@code sluice-planner}, while this controller is the one that acts; each reads the configuration anew. */
final class PlannerApplication implements AutoCloseable {
    private static final DataObjectIdentifier<Planner> ROOT = DataObjectIdentifier.builder(Planner.class).build();
    private static final long TIME_LIMIT_S = 600;
    private static final long WHAT_IF_LIMIT_S = 120;
    private static final int THREADS = 2;
    private static final long GAP_PPM = 100;
    private static final double MILLION = 1e6;
    private static final long MS_PER_S = 1_000;

    private final DataBroker dataBroker;
    /** Answers what-if, one after the other; what waits here when the planner ends is refused soon. */
    private final ExecutorService questions = Executors.newSingleThreadExecutor(
        Thread.ofPlatform().name("sluice-planner-questions").daemon().factory());
    private final ExecutorService orders = Executors.newSingleThreadExecutor(
        Thread.ofPlatform().name("sluice-planner-orders").daemon().factory());
    private final RunDesk desk;
    private final Registration registration;
    private volatile boolean isClosed;

    PlannerApplication(final DataBroker dataBroker, final RpcProviderService rpcProvider) {
        this.dataBroker = dataBroker;
        desk = new RunDesk(dataBroker);
        registration = rpcProvider.registerRpcImplementations((StartRun) this::startRun, (CancelRun) this::cancelRun,
            (org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIf) this::whatIf);
    }

    @Override
    public void close() {
        registration.close();
        isClosed = true;
        questions.shutdown();
        orders.shutdown();
        desk.close();
    }

    private ListenableFuture<RpcResult<StartRunOutput>> startRun(final StartRunInput input) {
        return answer(config -> {
            final var objective = input.getObjective() == null ? Objective.LATENCY
                : Objective.valueOf(input.getObjective().getName().toUpperCase(Locale.ROOT));
            final long gapPpm = input.getGap() == null ? GAP_PPM : input.getGap().getValue().toJava();
            final long limitS = input.getTimeLimit() == null ? TIME_LIMIT_S : input.getTimeLimit().toJava();
            final var number = desk.start(new Run(objective, gapPpm / MILLION, limitS * MS_PER_S, System::nanoTime),
                config.problem());
            return number.isPresent() ? RpcResultBuilder.success(
                new StartRunOutputBuilder().setNumber(Uint32.valueOf(number.getAsInt())).build()).build()
                : refused(ErrorTag.RESOURCE_DENIED, RunDesk.KEPT + " runs have not ended yet; cancel one");
        }, orders);
    }

    private ListenableFuture<RpcResult<CancelRunOutput>> cancelRun(final CancelRunInput input) {
        final var number = input.getNumber();
        if (number == null) {
            return Futures.immediateFuture(refused(ErrorTag.MISSING_ELEMENT, "say the number of the run"));
        }
        return Futures.immediateFuture(desk.cancel(number.intValue())
            ? RpcResultBuilder.success(new CancelRunOutputBuilder().build()).build()
            : refused(ErrorTag.DATA_MISSING, "there is no run " + number));
    }

    private ListenableFuture<RpcResult<WhatIfOutput>> whatIf(final WhatIfInput input) {
        return answer(config -> {
            final var change = WhatIfCodec.change(input, config);
            final long startNs = System.nanoTime();
            final var limits = new Limits(GAP_PPM / MILLION, THREADS,
                () -> isClosed || System.nanoTime() - startNs >= TimeUnit.SECONDS.toNanos(WHAT_IF_LIMIT_S));
            return WhatIf.of(Plan.of(config.problem(), limits.isStopped()), change, limits)
                .map(whatIf -> RpcResultBuilder.success(WhatIfCodec.output(whatIf)).build())
                .orElseGet(() -> refused(ErrorTag.OPERATION_FAILED, isClosed ? "the planner ends here"
                    : "it takes longer than " + WHAT_IF_LIMIT_S + " s"));
        }, questions);
    }

    /** Reads the configuration and answers from it; what is wrong with it, or with a question, is the refusal. */
    private <O> ListenableFuture<RpcResult<O>> answer(final Function<ProblemCodec, RpcResult<O>> question,
            final Executor executor) {
        return read().transform(planner -> {
            try {
                return question.apply(new ProblemCodec(planner));
            } catch (NoSuchElementException e) {
                return PlannerApplication.<O>refused(ErrorTag.MISSING_ELEMENT, e.getMessage());
            } catch (IllegalArgumentException e) {
                return PlannerApplication.<O>refused(ErrorTag.INVALID_VALUE, e.getMessage());
            }
        }, executor);
    }

    private FluentFuture<Planner> read() {
        final var transaction = dataBroker.newReadOnlyTransaction();
        final var read = transaction.read(LogicalDatastoreType.CONFIGURATION, ROOT);
        read.addListener(transaction::close, Runnable::run);
        return read.transform(planner -> planner.orElseGet(() -> new PlannerBuilder().build()), Runnable::run);
    }

    private static <O> RpcResult<O> refused(final ErrorTag tag, final String reason) {
        return RpcResultBuilder.<O>failed().withError(ErrorType.APPLICATION, tag, reason).build();
    }
}
