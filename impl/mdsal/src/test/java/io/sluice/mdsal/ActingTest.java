// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonService;
import org.opendaylight.yangtools.concepts.Registration;

class ActingTest {
    private final List<String> events = new ArrayList<>();
    private ClusterSingletonService service;
    private final Acting<Registration> acting = new Acting<>(registered -> {
        service = registered;
        return () -> events.add("left");
    }, () -> {
        events.add("started");
        return () -> events.add("ended");
    });

    @Test
    void allAreOfOneGroup() {
        assertEquals(Acting.GROUP, service.getIdentifier());
    }

    @Test
    void whatRunsIsStartedAndEndedWithTheTurn() {
        assertEquals(Optional.empty(), acting.running());

        service.instantiateServiceInstance();
        assertEquals(true, acting.running().isPresent());
        service.closeServiceInstance();
        service.closeServiceInstance();

        assertEquals(Optional.empty(), acting.running());
        assertEquals(List.of("started", "ended"), events);
    }

    @Test
    void whoClosesLeavesTheGroup() {
        acting.close();

        assertEquals(List.of("left"), events);
    }
}
