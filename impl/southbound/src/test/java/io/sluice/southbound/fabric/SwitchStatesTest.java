// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.SwitchStates.State;
import io.sluice.southbound.ovsdb.FailMode;
import io.sluice.southbound.program.FlowTables;
import io.sluice.southbound.program.SwitchFeatures;
import io.sluice.southbound.program.SwitchFeatures.Groups;
import io.sluice.southbound.program.SwitchFeatures.Meters;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SwitchStatesTest {
    private static final SwitchId ONE = new SwitchId("openflow:1");
    private static final SwitchId TWO = new SwitchId("openflow:2");
    private static final Instant EARLY = Instant.ofEpochSecond(1);
    private static final Instant LATE = Instant.ofEpochSecond(2);
    private static final SwitchFeatures FEATURES =
        new SwitchFeatures(FlowTables.undescribed(3), Groups.NONE, Meters.NONE, false);
    private static final State ATTACHED = new State(Optional.empty(), Optional.empty(), FailMode.UNKNOWN);

    private final SwitchStates states = new SwitchStates();

    @Test
    void aSwitchThatLeftStaysWithTheTimeWhenItLeft() {
        states.update(Set.of(ONE, TWO), EARLY);
        states.update(Set.of(ONE), LATE);
        states.update(Set.of(ONE), LATE.plusSeconds(1));

        assertEquals(Map.of(ONE, ATTACHED, TWO, detached(LATE)), states.states());
    }

    @Test
    void aSwitchThatComesBackIsAttached() {
        states.update(Set.of(ONE), EARLY);
        states.update(Set.of(), LATE);
        states.update(Set.of(ONE), LATE);

        assertEquals(Map.of(ONE, ATTACHED), states.states());
    }

    @Test
    void aSwitchOfAnEarlierRunIsDetachedUntilItAttaches() {
        states.restore(Set.of(ONE, TWO), EARLY);
        states.update(Set.of(TWO), LATE);

        assertEquals(Map.of(ONE, detached(EARLY), TWO, ATTACHED), states.states());
    }

    @Test
    void whatIsKnownOfASwitchOutlivesItsSession() {
        states.learn(ONE, FEATURES);
        states.learn(ONE, FailMode.SECURE);
        states.update(Set.of(ONE), EARLY);
        states.update(Set.of(), LATE);

        assertEquals(Map.of(ONE, new State(Optional.of(LATE), Optional.of(FEATURES), FailMode.SECURE)),
            states.states());
    }

    @Test
    void aFailModeIsNewsWhereItIsAnotherOne() {
        assertFalse(states.learn(ONE, FailMode.UNKNOWN));
        assertTrue(states.learn(ONE, FailMode.SECURE));
        assertFalse(states.learn(ONE, FailMode.SECURE));
        assertTrue(states.learn(ONE, FailMode.UNKNOWN));
    }

    @Test
    void aSwitchThatIsForgottenIsNewWhenItAttaches() {
        states.learn(ONE, FEATURES);
        states.update(Set.of(ONE), EARLY);
        states.forget(ONE);

        assertEquals(Map.of(), states.states());
        states.update(Set.of(ONE), LATE);
        assertEquals(Map.of(ONE, ATTACHED), states.states());
    }

    private static State detached(final Instant since) {
        return new State(Optional.of(since), Optional.empty(), FailMode.UNKNOWN);
    }
}
