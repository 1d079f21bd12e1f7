// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is kept of those who were not let in. */
class DoormanTest {
    private static final String ADDRESS = "192.0.2.9";

    private Instant now = Instant.EPOCH;
    private final Set<String> allowed = new HashSet<>();
    private final Doorman doorman = new Doorman(allowed::contains, () -> now);

    private static String key(final int number) {
        return "%040d".formatted(number);
    }

    @Test
    void theLatestKeysAreKept() {
        IntStream.range(0, 20).forEach(number -> doorman.refuse(key(number), ADDRESS));

        assertEquals(20, doorman.refused());
        assertEquals(IntStream.range(0, 16).mapToObj(back -> key(19 - back)).toList(),
            doorman.refusedKeys().stream().map(RefusedKey::publicKey).toList());
    }

    @Test
    void aKeyThatIsTriedAgainIsCountedAndComesFirst() {
        doorman.refuse(key(1), "192.0.2.1");
        doorman.refuse(key(2), ADDRESS);
        now = now.plusSeconds(9);
        doorman.refuse(key(1), ADDRESS);

        assertEquals(List.of(new RefusedKey(key(1), ADDRESS, 2, now), new RefusedKey(key(2), ADDRESS, 1,
            Instant.EPOCH)), doorman.refusedKeys());
    }

    @Test
    void aKeyThatIsAllowedByNowIsNotShown() {
        doorman.refuse(key(1), ADDRESS);
        doorman.refuse(key(2), ADDRESS);

        allowed.add(key(1));

        assertEquals(List.of(key(2)), doorman.refusedKeys().stream().map(RefusedKey::publicKey).toList());
        assertEquals(2, doorman.refused());
    }

    @Test
    void whoShowsNoKeyIsCountedAlone() {
        doorman.refuse("", ADDRESS);

        assertEquals(1, doorman.refused());
        assertEquals(List.of(), doorman.refusedKeys());
    }
}
