// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.mdsal.Answers;
import io.sluice.mdsal.Notifier;
import io.sluice.planner.lp.CapacityPlanning;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.placement.PlacementTask;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.run.Run;
import io.sluice.planner.run.Status;
import io.sluice.planner.run.Task;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Admit;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMoves;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMovesInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMovesOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisks;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRun;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRunInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRunOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRunOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Explain;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Limits;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.PlannerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartCapacity;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartCapacityInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartCapacityOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartCapacityOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartMoves;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartMovesInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartMovesInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartMovesOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartMovesOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartPlacement;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartPlacementInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartPlacementOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartPlacementOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRun;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRunInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRunOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRunOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIf;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RPCs of {@code sluice-planner}, and the plan that follows the configuration, while this controller is the one
 * that acts. Each RPC reads the configuration anew; those that ask the plan bring it up to date first.
 */
final class PlannerApplication implements DataTreeChangeListener<Planner>, Registration {
    private static final Logger LOG = LoggerFactory.getLogger(PlannerApplication.class);
    private static final DataObjectIdentifier<Planner> ROOT = DataObjectIdentifier.builder(Planner.class).build();
    private static final long QUESTION_LIMIT_S = 120;
    private static final double MILLION = 1e6;
    private static final long MS_PER_S = 1_000;

    private final DataBroker dataBroker;
    /** Asks the plan, one after the other; what waits here when the planner ends is refused soon. */
    private final ExecutorService asking = Executors.newSingleThreadExecutor(
        Thread.ofPlatform().name("sluice-planner-questions").daemon().factory());
    private final ExecutorService orders = Executors.newSingleThreadExecutor(
        Thread.ofPlatform().name("sluice-planner-orders").daemon().factory());
    private final AtomicBoolean isFollowing = new AtomicBoolean();
    private volatile boolean isClosed;
    private final StateWriter writer;
    private final RunDesk desk;
    private final PlanQuestions questions;
    private final LongSupplier nowNs;
    private final MoveWatch watch;
    private final List<Registration> registrations;

    /**
     * Acts at once.
     *
     * @param timer is ended with this
     */
    PlannerApplication(final DataBroker dataBroker, final RpcProviderService rpcProvider, final Notifier notifier,
            final LongSupplier nowNs, final ScheduledExecutorService timer) {
        this.dataBroker = dataBroker;
        this.nowNs = nowNs;
        final var clock = InstantSource.system();
        final var events = new PlannerEvents(notifier);
        writer = new StateWriter(dataBroker);
        desk = new RunDesk(writer, events, clock, nowNs);
        questions = new PlanQuestions(QUESTION_LIMIT_S, nowNs, () -> isClosed,
            new PlanPublisher(writer, events, clock));
        watch = new MoveWatch(timer, this::lookForMoves);
        registrations = List.of(dataBroker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(Planner.class).build(), this), register(rpcProvider));
    }

    private Registration register(final RpcProviderService rpcProvider) {
        return rpcProvider.registerRpcImplementations((StartRun) this::startRun,
            (StartMoves) this::startMoves, (StartCapacity) this::startCapacity, (StartPlacement) this::startPlacement,
            (CancelRun) this::cancelRun, (ApplyMoves) this::applyMoves,
            (Admit) input -> ask(config -> questions.admit(input, config)),
            (Explain) input -> ask(config -> questions.explain(input, config)),
            (AssessRisks) input -> ask(config -> questions.assessRisks(input, config)),
            (WhatIf) input -> ask(config -> questions.whatIf(input, config)));
    }

    @Override
    public void close() {
        registrations.reversed().forEach(Registration::close);
        isClosed = true;
        watch.close();
        desk.close();
        writer.close();
        orders.shutdown();
        asking.shutdown();
    }

    /** Has the plan follow, once for all changes that come before it does. */
    @Override
    public void onDataTreeChanged(final List<DataTreeModification<Planner>> changes) {
        if (isFollowing.compareAndSet(false, true)) {
            asking.execute(this::follow);
        }
    }

    private void follow() {
        isFollowing.set(false);
        this.<Boolean>ask(config -> {
            watch.every(config.movesIntervalS());
            return () -> Answers.success(questions.plan(config).isPresent());
        }).addCallback(new FutureCallback<>() {
                /** Where there was not time enough, it goes on. */
                @Override
                public void onSuccess(final RpcResult<Boolean> isThere) {
                    if (!isThere.isSuccessful()) {
                        LOG.warn("plan-stays reason=\"{}\"", isThere.getErrors().iterator().next().getMessage());
                    } else if (!isThere.getResult() && !isClosed) {
                        onDataTreeChanged(List.of());
                    }
                }

                @Override
                public void onFailure(final Throwable failure) {
                    LOG.warn("plan-stays", failure);
                }
            }, Runnable::run);
    }

    private ListenableFuture<RpcResult<StartRunOutput>> startRun(final StartRunInput input) {
        return answer(config -> () -> start(new Task.Routing(input.getObjective() == null ? Objective.USUAL
            : Objective.valueOf(input.getObjective().getName().toUpperCase(Locale.ROOT))), input, config,
            number -> new StartRunOutputBuilder().setNumber(number).build()), orders);
    }

    /** The plan may have to be made first, among the questions; the run is on a copy of it. */
    private ListenableFuture<RpcResult<StartMovesOutput>> startMoves(final StartMovesInput input) {
        final int most = input.getMaxMoves() == null ? Task.Moves.MOST : input.getMaxMoves().intValue();
        return ask(config -> () -> questions.plan(config).map(plan -> startMoves(plan, most, input, config))
            .orElseGet(questions::late));
    }

    /** Unasked, where there is time and moves may be others than the last time. */
    private void lookForMoves() {
        this.<Boolean>ask(config -> () -> Answers.success(questions.plan(config)
            .filter(plan -> desk.isIdle() && watch.isNews(plan))
            .map(plan -> startMoves(plan, Task.Moves.MOST, new StartMovesInputBuilder().build(), config))
            .isPresent()));
    }

    private RpcResult<StartMovesOutput> startMoves(final Plan plan, final int most, final Limits limits,
            final ProblemCodec config) {
        watch.note(plan);
        return start(new Task.Moves(plan.copy(), most), limits, config,
            number -> new StartMovesOutputBuilder().setNumber(number).build());
    }

    private ListenableFuture<RpcResult<ApplyMovesOutput>> applyMoves(final ApplyMovesInput input) {
        return ask(config -> {
            final var number = input.requireNumber();
            return () -> desk.moves(number.intValue()).map(moves -> questions.apply(moves, config)).orElseGet(() ->
                Answers.refusal(ErrorTag.DATA_MISSING, "run " + number + " is not the latest that found moves"));
        });
    }

    private ListenableFuture<RpcResult<StartCapacityOutput>> startCapacity(final StartCapacityInput input) {
        return answer(config -> {
            final long most = input.requireCapacity().getValue().longValue();
            CapacityPlanning.check(config.problem(), most);
            return () -> start(new Task.Capacity(most), input, config,
                number -> new StartCapacityOutputBuilder().setNumber(number).build());
        }, orders);
    }

    private ListenableFuture<RpcResult<StartPlacementOutput>> startPlacement(final StartPlacementInput input) {
        return answer(config -> {
            final int most = input.getNewSites() == null ? PlacementTask.NEW_SITES : input.getNewSites().toJava();
            final var newSites = config.newSites(input, most);
            final long capacity = input.getCapacity() == null ? Long.MAX_VALUE
                : input.getCapacity().getValue().longValue();
            return () -> start(new Task.Placement(newSites, capacity), input, config,
                number -> new StartPlacementOutputBuilder().setNumber(number).build());
        }, orders);
    }

    private <O> RpcResult<O> start(final Task task, final Limits limits, final ProblemCodec config,
            final Function<Uint32, O> output) {
        final double gap = limits.getGap() == null ? io.sluice.planner.lp.Limits.GAP
            : limits.getGap().getValue().toJava() / MILLION;
        final long limitS = limits.getTimeLimit() == null ? Run.TIME_LIMIT_S : limits.getTimeLimit().toJava();
        final var number = desk.start(new Run(task, gap, limitS * MS_PER_S, nowNs),
            config.problem(), config.headroom());
        return number.isPresent() ? Answers.success(output.apply(Uint32.valueOf(number.getAsInt())))
            : Answers.refusal(ErrorTag.RESOURCE_DENIED, RunDesk.KEPT + " runs have not ended yet; cancel one");
    }

    private ListenableFuture<RpcResult<CancelRunOutput>> cancelRun(final CancelRunInput input) {
        final var number = input.getNumber();
        if (number == null) {
            return Futures.immediateFuture(Answers.refusal(ErrorTag.MISSING_ELEMENT, "say the number of the run"));
        }
        return Futures.immediateFuture(desk.cancel(number.intValue())
            ? Answers.success(new CancelRunOutputBuilder().build())
            : Answers.refusal(ErrorTag.DATA_MISSING, "there is no run " + number));
    }

    /** Answers from the plan, which is guided by the runs that have ended. */
    private <O> FluentFuture<RpcResult<O>> ask(final Function<ProblemCodec, Supplier<RpcResult<O>>> question) {
        return answer(config -> {
            desk.lesson().ifPresent(lesson -> questions.learn(lesson.guide()));
            return question.apply(config);
        }, asking);
    }

    /** Answers from the configuration as it is now; what is wrong with that or the question is the refusal. */
    private <O> FluentFuture<RpcResult<O>> answer(final Function<ProblemCodec, Supplier<RpcResult<O>>> decoder,
            final Executor executor) {
        return read().transform(planner -> {
            final Supplier<RpcResult<O>> question;
            try {
                question = decoder.apply(new ProblemCodec(planner));
            } catch (NoSuchElementException e) {
                return Answers.<O>refusal(ErrorTag.MISSING_ELEMENT, e.getMessage());
            } catch (IllegalArgumentException e) {
                return Answers.<O>refusal(ErrorTag.INVALID_VALUE, e.getMessage());
            }
            return answer(question);
        }, executor);
    }

    /** What goes wrong now is nobody's fault but the planner's, or the machine's. */
    private static <O> RpcResult<O> answer(final Supplier<RpcResult<O>> question) {
        try {
            return question.get();
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("a question can't be answered", e);
            return Answers.refusal(ErrorTag.OPERATION_FAILED, Status.End.Broken.by(e).reason());
        }
    }

    private FluentFuture<Planner> read() {
        final var transaction = dataBroker.newReadOnlyTransaction();
        final var read = transaction.read(LogicalDatastoreType.CONFIGURATION, ROOT);
        read.addListener(transaction::close, Runnable::run);
        return read.transform(planner -> planner.orElseGet(() -> new PlannerBuilder().build()), Runnable::run);
    }
}
