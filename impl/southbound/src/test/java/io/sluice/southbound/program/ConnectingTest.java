// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static io.sluice.southbound.program.Bed.ONE;
import static io.sluice.southbound.program.Bed.TWO;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Programmer.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is said of a switch between its connecting and its features. */
class ConnectingTest {
    private static final Outcome CONNECTING = new Outcome.Connecting();

    private final Bed bed = new Bed();

    @Test
    void aSwitchThatIsBeingAskedIsNamed() {
        bed.await(bed.attach(ONE));
        bed.programmer.connecting(TWO);
        final var all = validated(Optional.empty());
        assertInstanceOf(Outcome.Compared.class, all.get(ONE));
        assertEquals(CONNECTING, all.get(TWO));
        assertEquals(Map.of(TWO, CONNECTING), validated(Optional.of(TWO)));
        assertEquals(Set.of(ONE), validated(Optional.of(ONE)).keySet());
    }

    @Test
    void onceAttachedOrGoneItIsNot() {
        bed.programmer.connecting(ONE);
        bed.programmer.connecting(TWO);
        bed.await(bed.attach(ONE));
        bed.detach(TWO);
        final var all = validated(Optional.empty());
        assertEquals(Set.of(ONE), all.keySet());
        assertInstanceOf(Outcome.Compared.class, all.get(ONE));
    }

    /** The switch that was read is told as it was read, the other as it was when it was asked about. */
    @Test
    void whatHappensDuringAComparisonLeavesNobodyOut() {
        bed.await(bed.attach(ONE));
        bed.programmer.connecting(TWO);
        final var asked = bed.programmer.validate(Optional.empty());
        bed.programmer.connecting(ONE);
        bed.attach(TWO);
        final var all = bed.await(asked);
        assertInstanceOf(Outcome.Compared.class, all.get(ONE));
        assertEquals(CONNECTING, all.get(TWO));
    }

    private Map<SwitchId, Outcome> validated(final Optional<SwitchId> only) {
        return bed.await(bed.programmer.validate(only));
    }
}
