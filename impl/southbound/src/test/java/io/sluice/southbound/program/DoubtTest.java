// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static io.sluice.southbound.program.Bed.ONE;
import static io.sluice.southbound.program.Bed.flow;
import static io.sluice.southbound.program.Bed.meter;
import static io.sluice.southbound.program.Bed.mine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Entry;
import io.sluice.api.Installation;
import io.sluice.api.Installation.InPlace;
import io.sluice.api.Installation.Pending;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A switch of which nobody knows what it has done is read before anything else is sent. */
class DoubtTest {
    private static final Installation IN_PLACE = new InPlace();

    private final Bed bed = new Bed();

    @BeforeEach
    void attach() {
        bed.await(bed.attach(ONE));
    }

    @Test
    void whatHadNoAnswerMayHaveBeenDone() {
        assertEquals(IN_PLACE, declare(1, meter(1, 3)));
        bed.sessions.get(ONE).loseAnswer();
        assertInstanceOf(Pending.class, declare(1, meter(1, 5)));

        assertEquals(IN_PLACE, declare(1, meter(1, 3)));

        assertEquals(Set.of(mine(meter(1, 3), 1)), bed.held(ONE));
        final int reads = bed.sessions.get(ONE).reads();
        assertEquals(IN_PLACE, declare(1, meter(1, 5)));
        assertEquals(reads, bed.sessions.get(ONE).reads());
    }

    @Test
    void aSwitchThatCanNotBeReadIsAskedOnceForEachDeclaration() {
        final var session = bed.sessions.get(ONE);
        session.dieAfter(0);
        assertInstanceOf(Pending.class, declare(1, flow(1)));
        final int reads = session.reads();

        assertInstanceOf(Pending.class, declare(2, flow(2)));

        assertEquals(reads + 1, session.reads());
        bed.await(bed.attach(ONE));
        assertEquals(2, bed.held(ONE).size());
    }

    @Test
    void whatASwitchHeldInAnEarlierSessionIsNotBelieved() {
        assertEquals(IN_PLACE, declare(1, flow(1)));
        bed.detach(ONE);
        bed.switches.get(ONE).entries().forEach(held -> bed.switches.get(ONE).remove(held.entry()));
        final var attached = bed.attach(ONE);
        bed.sessions.get(ONE).loseReading();
        bed.run();
        assertTrue(attached.toCompletableFuture().isCompletedExceptionally());

        assertEquals(IN_PLACE, declare(2, flow(2)));

        assertEquals(IN_PLACE, declare(1, flow(1)));
        assertEquals(2, bed.held(ONE).size());
    }

    private Installation declare(final long object, final Entry entry) {
        return bed.await(bed.claim.declare(object, Map.of(ONE, List.of(entry))));
    }
}
