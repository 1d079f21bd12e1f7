// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.placement.Assignment;
import io.sluice.multipath.placement.Bottleneck;
import io.sluice.multipath.placement.Candidate;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Piece;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.PieceNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.WeighedServer;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.Decision;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.DecisionBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.Refusal;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.RefusalBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.decision.Alternative;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.decision.AlternativeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.decision.AlternativeKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.decision.BindingLink;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.decision.BindingLinkBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.decision.RunnerUp;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.decision.RunnerUpBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.refusal.CandidateBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.refusal.CandidateKey;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PositiveBitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Ratio;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Why flows were placed or refused, in the words of {@code explain}. */
final class ExplainCodec {
    private ExplainCodec() {
        // functions only
    }

    static Decision decision(final FlowState flow) {
        final var record = flow.record();
        final var purpose = record.purpose();
        final var decision = new DecisionBuilder().setFlow(Uint64.valueOf(record.id()))
            .setDecided(Values.time(flow.placed()))
            .setClient(record.key().isSlot() ? null : Values.address(record.key().client()))
            .setVlan(Values.vlan(record.key().vlan()))
            .setDestination(purpose.transfer().isPresent() ? null : Values.address(record.key().target()))
            .setService(Values.name(purpose.service())).setBandwidth(wanted(flow.wanted()))
            .setStrategy(ConfigCodec.strategy(purpose.strategy()))
            .setServer(purpose.server().orElse(record.server().getHostAddress()))
            .setPath(Values.text(flow.forward()));
        flow.why().assignment().ifPresentOrElse(made -> explain(decision, flow, made),
            () -> decision.setBecause("placed in an earlier run of the controller, of which the reasons are not kept"));
        return decision.build();
    }

    private static void explain(final DecisionBuilder decision, final FlowState flow, final Assignment made) {
        final var weighing = made.weighing();
        if (flow.record().purpose().service().isPresent()) {
            decision.setPiece(pieces(made.together()));
        }
        decision.setExpectedRate(Values.limited(Optional.of(made.expectedRate()))).setBecause(weighing.because())
            .setBindingLink(made.bottleneck().map(ExplainCodec::bindingLink).orElse(null))
            .setRunnerUp(weighing.runnerUp().map(second -> runnerUp(second, made.expectedRate())).orElse(null))
            .setConsidered(Uint32.valueOf(weighing.considered()))
            .setAlternative(alternatives(weighing.alternatives()));
    }

    static Refusal refusal(final io.sluice.multipath.engine.Refusal refusal) {
        final var demand = refusal.demand();
        return new RefusalBuilder().setRefused(Values.time(refusal.when()))
            .setClient(Values.address(refusal.client()))
            .setDestination(refusal.destination().map(Values::address).orElse(null))
            .setService(Values.name(refusal.service()))
            .setPiece(refusal.service().flatMap(service -> demand).map(asked ->
                pieces(asked.pieces().stream().map(Piece::number).toList())).orElse(null))
            .setBandwidth(wanted(demand.flatMap(Demand::bandwidth)))
            .setStrategy(demand.map(asked -> ConfigCodec.strategy(asked.strategy().name())).orElse(null))
            .setReason(refusal.cause()).setNeeded(refusal.needed().orElse(null))
            .setCandidate(demand.map(asked -> candidates(asked.pieces())).orElse(null)).build();
    }

    private static BindingLink bindingLink(final Bottleneck bottleneck) {
        return new BindingLinkBuilder().setLink(bottleneck.link().toString())
            .setCapacity(Values.rate(bottleneck.link().capacity()))
            .setBackground(Values.rate(bottleneck.background())).setFlows(Uint32.valueOf(bottleneck.flows())).build();
    }

    private static RunnerUp runnerUp(final io.sluice.multipath.placement.Alternative second, final Bandwidth chosen) {
        final var rate = Optional.ofNullable(Values.limited(second.rate()));
        return new RunnerUpBuilder().setServer(second.candidate().server())
            .setPath(second.forward().map(Values::text).orElse(null)).setRate(rate.orElse(null))
            .setLess(rate.map(got -> Values.rate(chosen.minusOrZero(second.rate().orElseThrow()))).orElse(null))
            .build();
    }

    private static Map<AlternativeKey, Alternative> alternatives(
            final List<io.sluice.multipath.placement.Alternative> weighed) {
        final var alternatives = BindingMap.<AlternativeKey, Alternative>orderedBuilder();
        for (int i = 0; i < weighed.size(); i++) {
            final var one = weighed.get(i);
            final var alternative = new AlternativeBuilder(server(one.candidate())).setRank(Uint8.valueOf(i + 1))
                .setRate(Values.limited(one.rate()));
            one.cost().ifPresent(cost -> alternative.setCost(Uint64.valueOf(cost)));
            one.forward().ifPresent(path -> alternative.setPath(Values.text(path))
                .setLinks(Uint8.valueOf(path.links().size())).setUtilisation(new Ratio(Values.ppm(one.utilisation()))));
            alternatives.add(alternative.build());
        }
        return alternatives.build();
    }

    private static Map<CandidateKey, org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.explain.output.refusal
            .Candidate> candidates(final Collection<Piece> pieces) {
        return pieces.stream().flatMap(piece -> piece.candidates().stream().map(candidate ->
            new CandidateBuilder(server(candidate)).setPiece(new PieceNumber(Uint16.valueOf(piece.number())))
                .setPort(new PortNumber(Uint16.valueOf(candidate.port()))).build()))
            .collect(BindingMap.toOrderedMap());
    }

    private static WeighedServer server(final Candidate candidate) {
        return new AlternativeBuilder().setRank(Uint8.ZERO).setServer(candidate.server())
            .setLoad(new Ratio(Values.ppm(candidate.load().value())))
            .setLoadSource(candidate.load().isReported() ? WeighedServer.LoadSource.Reported
                : WeighedServer.LoadSource.Counted)
            .setRoom(candidate.room() == Candidate.UNBOUNDED ? null : Uint32.valueOf(candidate.room())).build();
    }

    private static Set<PieceNumber> pieces(final Collection<Integer> numbers) {
        return numbers.stream().map(number -> new PieceNumber(Uint16.valueOf(number))).collect(Collectors.toSet());
    }

    private static PositiveBitRate wanted(final Optional<Bandwidth> rate) {
        return rate.map(known -> new PositiveBitRate(Uint64.valueOf(known.bitsPerSecond()))).orElse(null);
    }
}
