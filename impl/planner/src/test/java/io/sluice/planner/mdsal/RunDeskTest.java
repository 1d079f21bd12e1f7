// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.RandomProblems;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.run.Run;
import java.lang.reflect.Proxy;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.WriteTransaction;

class RunDeskTest {
    @Test
    void onlyARunThatHasEndedMakesRoomForAnother() {
        final var gate = new CountDownLatch(1);
        final var problem = RandomProblems.of(1);
        try (var desk = new RunDesk(broker())) {
            desk.start(run(() -> passed(gate)), problem);
            for (int number = 2; number <= RunDesk.KEPT; number++) {
                assertEquals(OptionalInt.of(number), desk.start(run(System::nanoTime), problem));
            }
            assertEquals(OptionalInt.empty(), desk.start(run(System::nanoTime), problem));
            gate.countDown();
            while (desk.start(run(System::nanoTime), problem).isEmpty()) {
                Thread.yield();
            }
            assertFalse(desk.cancel(1), "the oldest has made room");
            assertTrue(desk.cancel(RunDesk.KEPT + 1));
        }
    }

    private static Run run(final LongSupplier clock) {
        return new Run(Objective.SCALE, 1, Long.MAX_VALUE / 2, clock);
    }

    private static long passed(final CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return 0;
    }

    /** A datastore that forgets. */
    private static DataBroker broker() {
        return fake(DataBroker.class, fake(WriteTransaction.class, null));
    }

    private static <T> T fake(final Class<T> type, final Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> method.getName().equals("newWriteOnlyTransaction") ? answer : null));
    }
}
