// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import static io.sluice.bandwidth.engine.EngineBed.flow;
import static io.sluice.bandwidth.engine.EngineBed.guaranteed;
import static io.sluice.bandwidth.engine.EngineBed.limited;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.Admission.Admitted;
import io.sluice.bandwidth.engine.Admission.NotEnforceable;
import io.sluice.bandwidth.engine.Admission.Overfull;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.testlib.Topologies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two switches with two hosts each, and a cable of 10 Mbit/s between them: who is let in beside whom. */
class AdmissionTest {
    private static final String TELL_APART = "; add ports or a protocol that tell them apart";

    private static final FabricSnapshot NETWORK = Topologies.line(2, 1, 2, new Topologies.Rates(
        Bandwidth.ofMegabits(100), Bandwidth.ofMegabits(10), Bandwidth.ofMegabits(10)));

    private final EngineBed bed = new EngineBed(NETWORK);

    @Test
    void anApplicationWithoutFlowsAndOneOfUnseenHostsAreAdmitted() {
        assertEquals(new Admitted(), admit("a"));
        assertEquals(new Admitted(), admit("a", flow("f", 1, 77)));
    }

    @Test
    void flowsThatCanNotBeHeldToARateAreNamed() {
        assertEquals(new NotEnforceable(Map.of(id("a", "g"), "its packets are those of t/a/f" + TELL_APART)),
            admit("a", flow("f", 1, 3), flow("g", 1, 3)));
        assertEquals(new NotEnforceable(Map.of(id("a", "f"), "limit of 1000000 bit/s is below guarantee of"
            + " 2000000 bit/s; raise it, or lower the guarantee")),
            admit("a", limited(guaranteed(flow("f", 1, 3), 2), 1)));
    }

    @Test
    void nobodyTakesThePacketsOfAnother() {
        bed.configure(flow("m", 1, 3));

        assertEquals(new NotEnforceable(Map.of(id("z", "f"), "its packets are those of t/m/m" + TELL_APART)),
            admit("z", flow("f", 1, 3)));
        assertEquals(new NotEnforceable(Map.of(id("m", "m"), "its packets are those of t/a/f" + TELL_APART)),
            admit("a", flow("f", 1, 3)));
    }

    @Test
    void anApplicationTakesThePlaceOfTheOneOfItsName() {
        bed.configure(guaranteed(flow("m", 1, 3), 7));

        assertEquals(new Admitted(), admit("m", guaranteed(flow("f", 1, 3), 8)));
    }

    @Test
    void guaranteesThatALinkCanNotCarryAreRefusedAndChangeNothing() {
        bed.configure(guaranteed(flow("m", 1, 3), 7));
        final var before = bed.meters();

        final var reason = assertInstanceOf(Overfull.class, admit("a", guaranteed(flow("f", 2, 4), 4))).reason();

        assertTrue(reason.contains("[t/a/f, t/m/m] sum to 11000000 bit/s"), reason);
        assertEquals(new Admitted(), admit("a", guaranteed(flow("f", 2, 4), 3)));
        assertEquals(before, bed.meters());
        assertEquals(1, bed.engine.flows().size());
    }

    @Test
    void guaranteesOfHostsOutOfSightCount() {
        bed.configure(guaranteed(flow("m", 1, 3), 7));
        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(),
            NETWORK.hosts().subList(1, 4)));

        final var reason = assertInstanceOf(Overfull.class, admit("a", guaranteed(flow("f", 2, 4), 4))).reason();

        assertTrue(reason.contains("[t/a/f] sum to 4000000 bit/s") && reason.contains("which has 3000000"), reason);
        assertEquals(new Admitted(), admit("a", guaranteed(flow("f", 2, 4), 3)));
    }

    @Test
    void guaranteesBeyondAnyLinkOfHostsOutOfSightAreNotLessThanNothing() {
        bed.configure(guaranteed(flow("m", 1, 3), 1), guaranteed(flow("n", 2, 3), 1));
        bed.show(new FabricSnapshot(2, NETWORK.switches(), NETWORK.ports(), NETWORK.links(),
            NETWORK.hosts().subList(2, 4)));
        final var most = Long.MAX_VALUE / 1_000_000;
        bed.configure(guaranteed(flow("m", 1, 3), most), guaranteed(flow("n", 2, 3), most));
        bed.show(new FabricSnapshot(3, NETWORK.switches(), NETWORK.ports(), NETWORK.links(),
            NETWORK.hosts().subList(1, 4)));

        assertInstanceOf(Overfull.class, admit("a", guaranteed(flow("f", 2, 4), 1)));
    }

    @Test
    void faultsOfOthersAreNotHeldAgainstAnApplication() {
        bed.configure(guaranteed(flow("m", 1, 3), 7), guaranteed(flow("n", 2, 4), 7), flow("o", 1, 3));

        assertEquals(new Admitted(), admit("a", flow("f", 2, 3)));
    }

    @Test
    void aLinkThatOthersOverfillHidesNoneThatAnApplicationDoes() {
        bed.configure(guaranteed(flow("m", 1, 3), 7), guaranteed(flow("n", 2, 4), 7));

        final var reason = assertInstanceOf(Overfull.class, admit("a", guaranteed(flow("f", 1, 2), 101))).reason();

        assertTrue(reason.contains("t/a/f") && reason.contains("which has 100000000"), reason);
    }

    private Admission admit(final String name, final FlowConfig... flows) {
        return bed.engine.admit("t", new ApplicationConfig(name, 1, List.of(flows)));
    }

    private static FlowId id(final String application, final String flow) {
        return new FlowId(new ApplicationId("t", application), flow);
    }
}
