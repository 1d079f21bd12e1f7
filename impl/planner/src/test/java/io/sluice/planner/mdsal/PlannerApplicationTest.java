// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.Futures;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMoves;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMovesInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRun;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.CancelRunInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Explain;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.PlannerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.RunEnded;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartCapacity;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartCapacityInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRun;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartRunInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Task;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.plan.Chain;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.Rpc;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;

class PlannerApplicationTest {
    private static final long QUESTION_NS = TimeUnit.SECONDS.toNanos(121);

    private final Shown shown = new Shown();
    private final AtomicInteger reads = new AtomicInteger();
    private volatile Planner config = config(7);
    private volatile CountDownLatch reading = new CountDownLatch(0);
    private volatile Runnable look;
    private volatile long intervalS = MoveWatch.NEVER;
    private List<Rpc<?, ?>> rpcs;

    @Test
    void thePlanFollowsOnceForAllChangesThatComeBeforeItDoes() throws Exception {
        reading = new CountDownLatch(1);
        try (var application = application(() -> 0)) {
            application.onDataTreeChanged(List.of());
            Shown.await(() -> reads.get() == 1);
            Stream.generate(() -> List.<org.opendaylight.mdsal.binding.api.DataTreeModification<Planner>>of()).limit(5)
                .forEach(application::onDataTreeChanged);
            reading.countDown();
            assertTrue(answered(explain("c")).isSuccessful());
            assertEquals(3, reads.get(), "once before the five changes, once for them, once for the question");
        }
    }

    @Test
    void aPlanForWhichThereWasNotTimeEnoughGoesOnUnasked() throws Exception {
        final var isHurried = new AtomicBoolean(true);
        final var nowNs = new AtomicLong();
        try (var application = application(() -> isHurried.get() ? nowNs.addAndGet(QUESTION_NS) : nowNs.get())) {
            application.onDataTreeChanged(List.of());
            Shown.await(() -> reads.get() > 1);
            isHurried.set(false);
            Shown.await(() -> shown.written.stream().anyMatch(Chain.class::isInstance));
        }
    }

    /** One is on its way, one waits. */
    @Test
    void questionsThatAreThereWhenThePlannerEndsAreRefusedSoon() throws Exception {
        final var isAsked = new CountDownLatch(1);
        final var isClosed = new CountDownLatch(1);
        final var application = application(() -> {
            isAsked.countDown();
            return passed(isClosed);
        });
        final var questions = List.of(explain("c"), explain("c"));
        passed(isAsked);
        application.close();
        isClosed.countDown();
        for (final var question : questions) {
            assertEquals("the planner ends here", refusal(question, ErrorTag.OPERATION_FAILED));
        }
    }

    @Test
    void whatIsLeftOutIsNamed() throws Exception {
        try (var application = application(() -> 0)) {
            assertNames("chain", rpc(Explain.class).invoke(new ExplainInputBuilder().build()));
            assertNames("capacity", rpc(StartCapacity.class).invoke(new StartCapacityInputBuilder().build()));
            assertNames("number", rpc(ApplyMoves.class).invoke(new ApplyMovesInputBuilder().build()));
            assertNames("number", rpc(CancelRun.class).invoke(new CancelRunInputBuilder().build()));

            final var link = new LinkBuilder(config.nonnullLink().values().iterator().next()).setBandwidth(null);
            config = new PlannerBuilder(config).setLink(BindingMap.of(link.build())).build();
            final var reason = refusal(explain("c"), ErrorTag.INVALID_VALUE);
            assertTrue(reason.startsWith("link ab: ") && reason.contains("bandwidth"), reason);
        }
    }

    @Test
    void movesAreLookedForUnaskedIfThePlanHasChanged() throws Exception {
        config = lookingForMoves(60, 7);
        try (var application = application(() -> 0)) {
            application.onDataTreeChanged(List.of());
            Shown.await(() -> intervalS == 60);
            assertEquals(1, runOfMoves());
            look.run();
            config = lookingForMoves(60, 6);
            assertEquals(2, runOfMoves(), "there was nothing new before");

            config = lookingForMoves(30, 6);
            application.onDataTreeChanged(List.of());
            Shown.await(() -> intervalS == 30);
            config = config(6);
            application.onDataTreeChanged(List.of());
            Shown.await(() -> intervalS == MoveWatch.NEVER);
        }
    }

    @Test
    void movesAreNotLookedForWhileARunIsWorkedOn() throws Exception {
        final var gate = new CountDownLatch(1);
        config = lookingForMoves(60, 7);
        try (var application = application(() ->
                Thread.currentThread().getName().equals("sluice-planner-runs") ? passed(gate) : 0)) {
            application.onDataTreeChanged(List.of());
            Shown.await(() -> intervalS == 60);
            assertEquals(1, started());
            look.run();
            assertTrue(answered(explain("c")).isSuccessful());
            assertEquals(2, started());
            gate.countDown();
        }
    }

    private int started() throws Exception {
        return answered(rpc(StartRun.class).invoke(new StartRunInputBuilder().build())).getResult().getNumber()
            .intValue();
    }

    /** Looks until there is a run, and returns its number: the one before may just not be over. */
    private int runOfMoves() throws InterruptedException {
        Shown.await(() -> {
            look.run();
            return !shown.told.isEmpty();
        });
        final var ended = (RunEnded) shown.told.remove();
        assertEquals(Task.Moves, ended.getTask());
        return ended.getNumber().intValue();
    }

    private static void assertNames(final String leaf, final Future<? extends RpcResult<?>> answer) throws Exception {
        final var reason = refusal(answer, ErrorTag.MISSING_ELEMENT);
        assertTrue(reason.contains(leaf), reason);
    }

    private static String refusal(final Future<? extends RpcResult<?>> answer, final ErrorTag tag) throws Exception {
        final var error = answered(answer).getErrors().iterator().next();
        assertEquals(tag, error.getTag());
        return error.getMessage();
    }

    private static <T> T answered(final Future<T> answer) throws Exception {
        return answer.get(Shown.LIMIT_S, TimeUnit.SECONDS);
    }

    private Future<RpcResult<ExplainOutput>> explain(final String chain) {
        return rpc(Explain.class).invoke(new ExplainInputBuilder().setChain(new ObjectName(chain)).build());
    }

    private <T extends Rpc<?, ?>> T rpc(final Class<T> type) {
        return rpcs.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
    }

    private static Planner config(final long bitsPerSecond) {
        return CodecTest.config(CodecTest.chain("a").setForward(CodecTest.rate(bitsPerSecond)).build());
    }

    private static Planner lookingForMoves(final long seconds, final long bitsPerSecond) {
        return new PlannerBuilder(config(bitsPerSecond)).setMovesInterval(Uint32.valueOf(seconds)).build();
    }

    private static long passed(final CountDownLatch gate) {
        try {
            assertTrue(gate.await(Shown.LIMIT_S, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return 0;
    }

    private PlannerApplication application(final LongSupplier nowNs) {
        return new PlannerApplication(broker(), Shown.fake(RpcProviderService.class, (proxy, method, arguments) -> {
            rpcs = List.of((Rpc<?, ?>[]) arguments[0]);
            return registration();
        }), shown.notifier(), nowNs, timer());
    }

    private DataBroker broker() {
        return Shown.fake(DataBroker.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "newWriteOnlyTransaction" -> shown.transaction();
            case "newReadOnlyTransaction" -> Shown.fake(ReadTransaction.class,
                (transaction, call, values) -> call.getName().equals("read") ? read() : null);
            default -> registration();
        });
    }

    private FluentFuture<Optional<Planner>> read() {
        reads.incrementAndGet();
        passed(reading);
        return FluentFuture.from(Futures.immediateFuture(Optional.of(config)));
    }

    private ScheduledExecutorService timer() {
        return Shown.fake(ScheduledExecutorService.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "scheduleWithFixedDelay" -> repeated((Runnable) arguments[0], (long) arguments[2]);
            case "isShutdown" -> false;
            default -> List.of();
        });
    }

    private ScheduledFuture<?> repeated(final Runnable task, final long seconds) {
        look = Objects.requireNonNull(task);
        intervalS = seconds;
        return Shown.fake(ScheduledFuture.class, (proxy, method, arguments) -> {
            intervalS = MoveWatch.NEVER;
            return true;
        });
    }

    private static Registration registration() {
        return () -> { };
    }
}
