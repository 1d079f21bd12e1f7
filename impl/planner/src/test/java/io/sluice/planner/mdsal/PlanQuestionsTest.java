// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.plan.Guide;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Admission;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisksInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisksInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisksOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.PlannerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.assess.risks.output.RiskKey;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.explain.output.FullKey;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.RiskBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.GrowthBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Ratio;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;

class PlanQuestionsTest {
    private static final long SECOND = 1_000_000_000;

    /** The chain sends 7 bit/s over a link of 9. */
    private final ProblemCodec config = new ProblemCodec(CodecTest.config(CodecTest.chain("a").build()));
    private final PlanQuestions questions = new PlanQuestions(60, () -> 0, () -> false, publisher());

    private static PlanPublisher publisher() {
        return new Shown().publisher();
    }

    @Test
    void explainsAChainByName() {
        final var output = questions.explain(explain("c"), config).get().getResult();
        assertEquals(Set.of("s"), Set.copyOf(output.nonnullRoute().values().stream()
            .flatMap(route -> route.nonnullHop().values().stream()).map(hop -> hop.getSite().getValue()).toList()));
        assertEquals(Map.of(), output.nonnullFull());
        assertNull(output.getRunnerUp());
        assertEquals("there is no chain x", assertThrows(NoSuchElementException.class,
            () -> questions.explain(explain("x"), config)).getMessage());
    }

    @Test
    void tellsWhatRisksWouldCost() {
        final var output = questions.assessRisks(risks(), risky()).get().getResult();

        assertTrue(output.getComplete());
        assertEquals(Set.of("duct", "card"), names(output));
        final var told = output.nonnullRisk().get(new RiskKey(new ObjectName("duct")));
        assertEquals(CodecTest.rate(0), told.getCarried());
        assertEquals(1, told.nonnullShortage().size());
    }

    @Test
    void tellsOfRisksThatAreNamedAndRefusesOthers() {
        final var output = questions.assessRisks(risks("duct"), risky()).get().getResult();
        assertTrue(output.getComplete());
        assertEquals(Set.of("duct"), names(output));
        assertEquals("there is no risk fire", assertThrows(IllegalArgumentException.class,
            () -> questions.assessRisks(risks("fire"), risky())).getMessage());
    }

    private static ProblemCodec risky() {
        final var links = Set.of(new ObjectName("ab"));
        return new ProblemCodec(new PlannerBuilder(CodecTest.config(CodecTest.chain("a").build()))
            .setRisk(BindingMap.of(new RiskBuilder().setName(new ObjectName("duct")).setLink(links).build(),
            new RiskBuilder().setName(new ObjectName("card")).setLink(links).build())).build());
    }

    private static AssessRisksInput risks(final String... names) {
        return new AssessRisksInputBuilder().setRisk(Stream.of(names).map(ObjectName::new).toList()).build();
    }

    private static Set<String> names(final AssessRisksOutput output) {
        return output.nonnullRisk().values().stream().map(risk -> risk.getName().getValue())
            .collect(Collectors.toSet());
    }

    @Test
    void aQuestionThatTakesTooLongHasAPartOfTheAnswer() {
        final var whole = questions.whatIf(growth(3_000_000), config).get().getResult();
        assertFalse(whole.getPartial());
        assertEquals(1, whole.nonnullShortage().size());

        // a clock that leaves nothing of the first half, and all of the second
        final var nowNs = new AtomicLong();
        final var hurried = new PlanQuestions(60, () -> nowNs.getAndAdd(nowNs.get() < 60 * SECOND ? 31 * SECOND : 0),
            () -> false, publisher());
        final var part = hurried.whatIf(growth(3_000_000), config).get().getResult();
        assertTrue(part.getPartial());
        assertNull(part.getBefore());
        assertEquals(CodecTest.rate(21), part.getAfter().getDemand());
        assertEquals(CodecTest.rate(9), part.getAfter().getCarried());
        assertEquals(Set.of("link ab"), Set.copyOf(part.nonnullBinding().values().stream()
            .map(binding -> binding.getResource()).toList()));
    }

    @Test
    void tellsWhatIsShortOfCapacity() {
        final var output = questions.explain(explain("c"), crowded(false)).get().getResult();
        assertEquals(CodecTest.rate(9), output.getCarried());
        assertEquals("link ab", output.getBottleneck());
        final var whole = questions.explain(explain("c"), crowded(true)).get().getResult();
        assertEquals(CodecTest.rate(20), whole.getCarried());
        assertNull(whole.getBottleneck());
    }

    /** Beside 7 bit/s of 9 there is room for 2. */
    @Test
    void tellsWhetherAChainWouldBeAdmitted() {
        assertEquals(new AdmitOutputBuilder().setAdmission(Admission.Admitted).build(), admitted("d", 2, false));
        assertEquals(new AdmitOutputBuilder().setAdmission(Admission.Refused).setFits(CodecTest.rate(2))
            .setBottleneck("link ab").build(), admitted("d", 3, false));
        assertEquals(new AdmitOutputBuilder().setAdmission(Admission.Oversubscribed).setFits(CodecTest.rate(2))
            .setBottleneck("link ab").build(), admitted("d", 3, true));
        assertEquals(Admission.Admitted, admitted("c", 9, false).getAdmission(), "its own traffic counts as free");
        assertEquals(Admission.Unreachable, questions.admit(new AdmitInputBuilder(admit("d", 1, false))
            .setEgress(Set.of(new ObjectName("a"))).build(), config).get().getResult().getAdmission(), "no way back");
    }

    private AdmitOutput admitted(final String name, final long bps, final boolean oversubscribe) {
        return questions.admit(admit(name, bps, oversubscribe), config).get().getResult();
    }

    private static AdmitInput admit(final String name, final long bps, final boolean oversubscribe) {
        return new AdmitInputBuilder().setName(new ObjectName(name)).setIngress(Set.of(new ObjectName("a")))
            .setEgress(Set.of(new ObjectName("b"))).setVnf(List.of(new ObjectName("nat")))
            .setForward(CodecTest.rate(bps)).setOversubscribe(oversubscribe).build();
    }

    /** The chain sends 20 bit/s over the link of 9. */
    private static ProblemCodec crowded(final boolean oversubscribe) {
        return new ProblemCodec(CodecTest.config(CodecTest.chain("a").setForward(CodecTest.rate(20))
            .setOversubscribe(oversubscribe).build()));
    }

    @Test
    void theLastRunOfLeastLatencyGuidesThePlan() {
        final var full = new ProblemCodec(CodecTest.config(CodecTest.chain("a").setForward(CodecTest.rate(9)).build()));
        final var instance = Instance.of(full.problem());
        final var last = Guide.of(instance, priced(35));
        final long before = priceOfLink(full);

        questions.learn(last);
        assertEquals(before + 35, priceOfLink(full));
        questions.learn(Guide.of(instance, priced(70)));
        assertEquals(before + 70, priceOfLink(full));
    }

    private long priceOfLink(final ProblemCodec full) {
        return questions.explain(explain("c"), full).get().getResult().nonnullFull().get(new FullKey("link ab"))
            .getPrice().getValue().longValue();
    }

    private static Routed priced(final double ofLink) {
        return new Routed(Objective.LATENCY, 1, 1, 0, List.of(), new double[] {ofLink, 0, 0}, 0);
    }

    @Test
    void nothingIsToldWhenThePlannerEnds() {
        final var closed = new PlanQuestions(60, () -> 0, () -> true, publisher());
        assertFalse(closed.whatIf(growth(1_000_000), config).get().isSuccessful());
        assertFalse(closed.explain(explain("c"), config).get().isSuccessful());
        assertFalse(closed.assessRisks(risks(), config).get().isSuccessful());
    }

    /** A clock that leaves time for nothing, until it stands still. */
    @Test
    void whoIsLateIsToldToAskAgainAndHasAnAnswerThen() {
        final var nowNs = new AtomicLong();
        final var isHurried = new AtomicBoolean(true);
        final var hurried = new PlanQuestions(60,
            () -> isHurried.get() ? nowNs.addAndGet(61 * SECOND) : nowNs.get(), () -> false, publisher());
        final var late = hurried.explain(explain("c"), config).get();
        assertEquals("it takes longer than 60 s: ask again, the plan goes on where it was",
            late.getErrors().iterator().next().getMessage());
        isHurried.set(false);
        assertTrue(hurried.explain(explain("c"), config).get().isSuccessful());
    }

    private static ExplainInput explain(final String chain) {
        return new ExplainInputBuilder().setChain(new ObjectName(chain)).build();
    }

    private static WhatIfInput growth(final long ppm) {
        return new WhatIfInputBuilder().setChange(new GrowthBuilder().setTraffic(new Ratio(Uint32.valueOf(ppm)))
            .build()).build();
    }
}
