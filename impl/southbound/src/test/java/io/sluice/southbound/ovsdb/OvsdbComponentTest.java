// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues.Fault;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What keeps ports from their queues as long as no database is connected. */
class OvsdbComponentTest {
    private static final SwitchId ATTACHED = new SwitchId("openflow:1");
    private static final PortId PORT = new PortId(ATTACHED, 1);
    private static final PortId UNKNOWN = new PortId(ATTACHED, 2);
    private static final PortId AWAY = new PortId(new SwitchId("openflow:2"), 1);

    private final OvsdbComponent component = new OvsdbComponent(new Shown(), new WithoutPort());

    @Test
    void eachPortIsToldWhatItLacks() {
        assertTold(rates(PORT, UNKNOWN, AWAY));
        assertEquals(Map.of(), rates());
    }

    @Test
    void soIsEachThatShouldHavePriorities() {
        assertTold(component.wantPriorities(List.of(0L, 1L), Set.of(PORT, UNKNOWN, AWAY)).toCompletableFuture()
            .join());
    }

    private static void assertTold(final Map<PortId, Fault> faults) {
        assertTrue(faults.get(PORT).reason().startsWith("the database of its switch is not connected"));
        assertEquals(new Fault("its capacity is not known; set it", true), faults.get(UNKNOWN));
        assertEquals(new Fault("its switch is away", true), faults.get(AWAY));
    }

    @Test
    void prioritiesComeBeforeRates() {
        component.wantPriorities(List.of(0L), Set.of());
        assertEquals(new Fault("its queues are those of a policy of priorities", false), rates(PORT).get(PORT));

        component.wantPriorities(List.of(), Set.of());
        assertTrue(rates(PORT).get(PORT).mayRemain());

        component.wantPriorities(List.of(0L), Set.of());
        component.leave();
        assertTrue(rates(PORT).get(PORT).mayRemain());
    }

    private Map<PortId, Fault> rates(final PortId... ports) {
        return component.wantRates(Set.of(ports).stream().collect(Collectors.toMap(
            port -> port, port -> Map.of(1L, Bandwidth.ofMegabits(1)))), number -> false).toCompletableFuture().join();
    }

    /** One switch, with a port whose capacity is known. */
    private static final class Shown implements Fabric {
        @Override
        public FabricSnapshot snapshot() {
            return new FabricSnapshot(1, Set.of(ATTACHED), Map.of(PORT, new Port(PORT, "p", true,
                Bandwidth.ofMegabits(10), Bandwidth.ZERO, Bandwidth.ZERO)), List.of(), List.of());
        }

        @Override
        public Subscription subscribe(final Consumer<FabricSnapshot> listener) {
            return () -> { };
        }
    }

    @SuppressWarnings("ClassExplicitlyAnnotation")
    private static final class WithoutPort implements OvsdbComponent.Configuration {
        @Override
        public int port() {
            return 0;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return OvsdbComponent.Configuration.class;
        }
    }
}
