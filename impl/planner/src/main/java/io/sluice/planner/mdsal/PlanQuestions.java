// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.mdsal.Answers;
import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.ChainRouting;
import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Problem;
import io.sluice.planner.plan.Assessment;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.Guide;
import io.sluice.planner.plan.KeptPlan;
import io.sluice.planner.plan.Plan;
import io.sluice.planner.plan.WhatIf;
import io.sluice.planner.run.Status.End.Proposed;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ApplyMovesOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisksInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AssessRisksOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** What is asked of the plan that is kept; what is wrong with a question is thrown at once. One thread at a time. */
final class PlanQuestions {
    private static final double NS_PER_S = 1e9;

    private final KeptPlan kept = new KeptPlan();
    private Optional<Guide> learnt = Optional.empty();
    private final long limitS;
    private final LongSupplier nowNs;
    private final BooleanSupplier isClosed;
    private final PlanPublisher publisher;

    /**
     * Begins without a plan.
     *
     * @param limitS how long one answer may take
     * @param isClosed whether answers are to end soon
     * @param publisher is told of the plan whenever it may differ
     */
    PlanQuestions(final long limitS, final LongSupplier nowNs, final BooleanSupplier isClosed,
            final PlanPublisher publisher) {
        this.limitS = limitS;
        this.nowNs = nowNs;
        this.isClosed = isClosed;
        this.publisher = publisher;
    }

    /** Has chains that are planned from now on follow what a run taught. */
    void learn(final Guide lesson) {
        if (learnt.filter(known -> known == lesson).isEmpty()) {
            learnt = Optional.of(lesson);
            kept.guideBy(lesson);
        }
    }

    /** The plan of the configuration; empty if there was not time enough. */
    Optional<Plan> plan(final ProblemCodec config) {
        return plan(config, within(limitS).isStopped());
    }

    /** In half of the time chains are planned one by one; if that was not enough the rest is for a partial answer. */
    Supplier<RpcResult<WhatIfOutput>> whatIf(final WhatIfInput input, final ProblemCodec config) {
        final var change = WhatIfCodec.change(input, config);
        final var changed = change.applyTo(config.problem());
        return () -> whatIf(change, changed, config);
    }

    private RpcResult<WhatIfOutput> whatIf(final Change change, final Problem changed, final ProblemCodec config) {
        final var limits = within(limitS / 2.0);
        final var whatIf = plan(config, limits.isStopped()).flatMap(plan -> WhatIf.of(plan,
            config.order().risks(), change, limits));
        if (whatIf.isPresent()) {
            return Answers.success(WhatIfCodec.output(whatIf.orElseThrow()));
        }
        final var instance = Instance.of(changed);
        return !isClosed.getAsBoolean()
            && ChainRouting.solve(instance, Objective.CARRIED, within(limitS / 2.0)) instanceof Routed routed
            ? Answers.success(WhatIfCodec.output(instance, routed)) : late();
    }

    Supplier<RpcResult<ExplainOutput>> explain(final ExplainInput input, final ProblemCodec config) {
        final var chain = input.requireChain().getValue();
        config.requireChain(chain);
        return () -> plan(config).map(plan -> Answers.success(PlanCodec.explained(plan, chain)))
            .orElseGet(this::late);
    }

    Supplier<RpcResult<AdmitOutput>> admit(final AdmitInput input, final ProblemCodec config) {
        final var chain = config.chain(input);
        return () -> plan(config).map(plan -> Answers.success(PlanCodec.admission(
            plan.ask(chain, Boolean.TRUE.equals(input.getOversubscribe()))))).orElseGet(this::late);
    }

    /** Makes the moves that a run has found. */
    RpcResult<ApplyMovesOutput> apply(final Proposed proposed, final ProblemCodec config) {
        return plan(config).map(plan -> {
            final var moved = proposed.proposals().makeIn(plan, proposed.plan());
            publisher.publish(plan);
            return Answers.success(PlanCodec.applied(proposed.proposals(), moved));
        }).orElseGet(this::late);
    }

    /** Of all risks, or those that are named. */
    Supplier<RpcResult<AssessRisksOutput>> assessRisks(final AssessRisksInput input, final ProblemCodec config) {
        final var names = Optional.ofNullable(input.getRisk()).filter(some -> !some.isEmpty())
            .map(some -> some.stream().map(ObjectName::getValue).toList()).orElse(config.risks().names());
        final var numbers = names.stream().map(config.risks()::number).toList();
        return () -> {
            final var isStopped = within(limitS).isStopped();
            return plan(config, isStopped).map(plan -> Answers.success(PlanCodec.assessed(names,
                Assessment.of(plan, config.order().risks(), numbers, isStopped)))).orElseGet(this::late);
        };
    }

    <O> RpcResult<O> late() {
        return Answers.refusal(ErrorTag.OPERATION_FAILED, isClosed.getAsBoolean() ? "the planner ends here"
            : "it takes longer than " + limitS + " s: ask again, the plan goes on where it was");
    }

    private Optional<Plan> plan(final ProblemCodec config, final BooleanSupplier isStopped) {
        final var plan = kept.follow(config.order(), isStopped);
        plan.ifPresent(publisher::publish);
        return plan;
    }

    private Limits within(final double seconds) {
        final long startNs = nowNs.getAsLong();
        return Limits.until(() -> isClosed.getAsBoolean() || nowNs.getAsLong() - startNs >= seconds * NS_PER_S);
    }
}
