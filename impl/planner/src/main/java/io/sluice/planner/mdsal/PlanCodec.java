// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.plan.Admission;
import io.sluice.planner.plan.Admission.Admitted;
import io.sluice.planner.plan.Admission.Oversubscribed;
import io.sluice.planner.plan.Admission.Refused;
import io.sluice.planner.plan.Admission.Unreachable;
import io.sluice.planner.plan.Assessment;
import io.sluice.planner.plan.Explanation;
import io.sluice.planner.plan.Figures;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.plan.Proposals;
import io.sluice.planner.plan.Proposals.Move;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMovesOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMovesOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisksOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisksOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.assess.risks.output.Risk;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.assess.risks.output.RiskBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.explain.output.FullBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.explain.output.RunnerUp;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.explain.output.RunnerUpBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.PlanBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.plan.Chain;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.plan.ChainBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;

/** What there is to tell of a plan, in the words of {@code sluice-planner}. */
final class PlanCodec {
    private PlanCodec() {
        // functions only
    }

    static ExplainOutput explained(final Plan plan, final String chain) {
        final var explanation = plan.explain(chain);
        return new ExplainOutputBuilder().setRoute(RunCodec.routes(explanation.routes()))
            .setCarried(WhatIfCodec.rate(plan.carried(chain).bitsPerSecond()))
            .setBottleneck(plan.shortage(chain) instanceof Refused refused ? refused.bottleneck() : null)
            .setFull(explanation.binding().stream().map(binding -> new FullBuilder().setResource(binding.resource())
                .setUse(WhatIfCodec.ratio(binding.ppm())).setPrice(RunCodec.latency(binding.price()))
                .build()).collect(BindingMap.toMap()))
            .setRunnerUp(explanation.runnerUp().map(PlanCodec::runnerUp).orElse(null)).build();
    }

    /** All chains of a plan together; all leaves are there, as one that is left out would leave what was shown. */
    static PlanBuilder figures(final Figures figures) {
        return new PlanBuilder().setDemand(WhatIfCodec.rate(figures.demand().bitsPerSecond()))
            .setCarried(WhatIfCodec.rate(figures.carried().bitsPerSecond()))
            .setDelay(RunCodec.delay(figures.delayUs()))
            .setFullest(WhatIfCodec.ratio(Math.min(figures.fullest(), Uint32.MAX_VALUE.toJava())));
    }

    /** A chain of a plan. */
    static Chain chain(final Plan plan, final String name) {
        return new ChainBuilder().setName(new ObjectName(name))
            .setCarried(WhatIfCodec.rate(plan.carried(name).bitsPerSecond()))
            .setRoute(RunCodec.routes(plan.routes(name, plan.split(name)))).build();
    }

    static AdmitOutput admission(final Admission admission) {
        final var output = new AdmitOutputBuilder();
        return switch (admission) {
            case Admitted admitted -> output.setAdmission(answer("admitted")).build();
            case Oversubscribed over -> output.setAdmission(answer("oversubscribed"))
                .setFits(WhatIfCodec.rate(over.fits().bitsPerSecond())).setBottleneck(over.bottleneck()).build();
            case Refused refused -> output.setAdmission(answer("refused"))
                .setFits(WhatIfCodec.rate(refused.fits().bitsPerSecond())).setBottleneck(refused.bottleneck()).build();
            case Unreachable unreachable -> output.setAdmission(answer("unreachable"))
                .setFits(WhatIfCodec.rate(0)).build();
        };
    }

    static ApplyMovesOutput applied(final Proposals proposals, final List<String> moved) {
        return new ApplyMovesOutputBuilder().setMoved(names(moved.stream()))
            .setLeft(names(proposals.moves().stream().map(Move::chain).filter(chain -> !moved.contains(chain))))
            .build();
    }

    private static List<ObjectName> names(final Stream<String> chains) {
        return chains.map(ObjectName::new).toList();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Admission answer(final String name) {
        return org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Admission.ofName(name);
    }

    /** Assessments of the first of the risks of these names. */
    static AssessRisksOutput assessed(final List<String> names, final List<Assessment> assessments) {
        return new AssessRisksOutputBuilder().setComplete(assessments.size() == names.size())
            .setRisk(IntStream.range(0, assessments.size())
                .mapToObj(risk -> assessed(names.get(risk), assessments.get(risk))).collect(BindingMap.toMap()))
            .build();
    }

    private static Risk assessed(final String name, final Assessment assessment) {
        final var figures = assessment.figures();
        return new RiskBuilder().setName(new ObjectName(name))
            .setCarried(WhatIfCodec.rate(figures.carried().bitsPerSecond()))
            .setDelay(RunCodec.delay(figures.delayUs())).setMoved(Uint32.valueOf(assessment.moved()))
            .setShortage(WhatIfCodec.shortages(assessment.shortOf())).build();
    }

    private static RunnerUp runnerUp(final Explanation.RunnerUp runnerUp) {
        final var route = runnerUp.route();
        return new RunnerUpBuilder().setIngress(new ObjectName(route.ingress())).setHop(RunCodec.hops(route))
            .setEgress(new ObjectName(route.egress())).setDelay(RunCodec.delay(route.delayUs()))
            .setExtra(runnerUp.extraPpm())
            .setFull(runnerUp.full().orElse(null)).build();
    }
}
