// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Names;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Numbering;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Guide;
import io.sluice.planner.plan.Order;
import io.sluice.planner.plan.Risks;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.AdmitInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.StartPlacementInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Traffic;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Node;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Routing;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.yang.common.Uint64;

/**
 * The configuration as a problem. Things are numbered in the order of their names, so that equal configurations have
 * equal answers. The datastore does not check references and {@code mandatory}: what is wrong is told by an
 * {@link IllegalArgumentException} that names it and the entry that has it.
 */
final class ProblemCodec {
    private static final int ALL_PPM = 1_000_000;
    private static final double MILLION = 1e6;

    private final Numbering numbers;
    private final Names risks;
    private final Problem problem;
    private final Order order;
    private final double headroom;
    private final long movesIntervalS;

    ProblemCodec(final Planner planner) {
        numbers = Numbering.of(names(planner.nonnullNode().values(), Node::getName),
            names(planner.nonnullLink().values(), link -> link.getName()),
            names(planner.nonnullSite().values(), site -> site.getName()),
            names(planner.nonnullVnf().values(), vnf -> vnf.getName()));
        risks = new Names("risk", names(planner.nonnullRisk().values(), risk -> risk.getName()));
        final var riskGroups = new Risks(decoded("risk", planner.nonnullRisk().values(), risk -> risk.getName(),
            risk -> numbers(numbers.links(), risk.getLink())));
        problem = new Problem(
            new Network(numbers.nodes().names(), decoded("link", planner.nonnullLink().values(), link -> link.getName(),
                this::link), planner.nonnullRouting().values().stream().map(each -> owned("routing from "
                + each.getFrom().getValue() + " to " + each.getTo().getValue(), () -> routing(each)))
                .sorted(Comparator.comparingInt(io.sluice.planner.model.Routing::from)
                    .thenComparingInt(io.sluice.planner.model.Routing::to)).toList()),
            decoded("site", planner.nonnullSite().values(), site -> site.getName(), this::site),
            decoded("VNF", planner.nonnullVnf().values(), vnf -> vnf.getName(), this::vnf),
            decoded("chain", planner.nonnullChain().values(), chain -> chain.getName(), this::chain));
        order = new Order(problem, riskGroups, planner.nonnullChain().values().stream()
            .filter(chain -> Boolean.TRUE.equals(chain.getOversubscribe())).map(chain -> chain.getName().getValue())
            .collect(Collectors.toSet()));
        headroom = planner.getHeadroom() == null ? Guide.HEADROOM : planner.getHeadroom().getValue().toJava() / MILLION;
        movesIntervalS = planner.getMovesInterval() == null ? MoveWatch.NEVER : planner.getMovesInterval().toJava();
    }

    Problem problem() {
        return problem;
    }

    Numbering numbers() {
        return numbers;
    }

    /** Names of the risks, in the order of their groups. */
    Names risks() {
        return risks;
    }

    /** The problem, with risks and the chains that may be oversubscribed. */
    Order order() {
        return order;
    }

    /** By how much more traffic than there is the prices of routes are for. */
    double headroom() {
        return headroom;
    }

    /** How often moves are looked for unasked, see {@link MoveWatch#every}. */
    long movesIntervalS() {
        return movesIntervalS;
    }

    /** A chain that is asked about. */
    Chain chain(final AdmitInput input) {
        return owned("chain " + input.requireName().getValue(), () -> chain(input.requireName(), input.getIngress(),
            input.getEgress(), input.getVnf(), input));
    }

    /** How many new sites each VNF may have that is named, or each if none is; {@code usual} unless it says so. */
    Map<Integer, Integer> newSites(final StartPlacementInput input, final int usual) {
        final var named = input.nonnullVnf().values();
        return named.isEmpty()
            ? IntStream.range(0, problem.vnfs().size()).boxed().collect(Collectors.toMap(vnf -> vnf, vnf -> usual))
            : named.stream().collect(Collectors.toMap(vnf -> numbers.vnfs().number(vnf.getName().getValue()),
                vnf -> vnf.getNewSites() == null ? usual : vnf.getNewSites().toJava()));
    }

    /** Throws {@link NoSuchElementException} if there is no chain of that name. */
    void requireChain(final String name) {
        if (problem.chains().stream().noneMatch(chain -> chain.name().equals(name))) {
            throw new NoSuchElementException("there is no chain " + name);
        }
    }

    private Link link(final org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Link link) {
        final var name = link.getName().getValue();
        return new Link(name, node(link.requireFrom()), node(link.requireTo()),
            rate(link.requireBandwidth()), rateOrZero(link.getBackground()),
            link.getUtilisationLimit() == null ? ALL_PPM : link.getUtilisationLimit().getValue().intValue(),
            link.requireDelay().getValue().toJava(), link.getWeight() == null ? 1 : link.getWeight().toJava());
    }

    private io.sluice.planner.model.Routing routing(final Routing routing) {
        return new io.sluice.planner.model.Routing(node(routing.getFrom()), node(routing.getTo()),
            routing.nonnullLink().values().stream().collect(Collectors.toMap(
                link -> numbers.links().number(link.getName().getValue()),
                link -> link.requireShare().getValue().intValue())),
            routing.getDelay() == null ? OptionalLong.empty()
                : OptionalLong.of(routing.getDelay().getValue().toJava()));
    }

    private Site site(final org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Site site) {
        return new Site(site.getName().getValue(), node(site.requireNode()),
            site.requireCapacity().getValue().longValue());
    }

    private Vnf vnf(final org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Vnf vnf) {
        return new Vnf(vnf.getName().getValue(), vnf.requireLoad().getValue().toJava(),
            decoded("deployment at", vnf.nonnullDeployment().values(), deployment -> deployment.getSite(), deployment ->
                new Deployment(numbers.sites().number(deployment.getSite().getValue()),
                    deployment.requireCapacity().getValue().longValue())));
    }

    private Chain chain(final org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Chain chain) {
        return chain(chain.getName(), chain.getIngress(), chain.getEgress(), chain.getVnf(), chain);
    }

    private Chain chain(final ObjectName name, final Set<ObjectName> ingress, final Set<ObjectName> egress,
            final List<ObjectName> path, final Traffic traffic) {
        return numbers.chain(name.getValue(), names(ingress), names(egress), names(path),
            new Stage(rate(traffic.requireForward()), rateOrZero(traffic.getReverse())),
            traffic.nonnullStage().values().stream().map(stage -> Map.entry(stage.getNumber().longValue(),
                new Stage(rate(stage.requireForward()), rate(stage.requireReverse())))).toList());
    }

    private int node(final ObjectName name) {
        return numbers.nodes().number(name.getValue());
    }

    /** Numbers of some names; null for none. */
    static Set<Integer> numbers(final Names known, final Collection<ObjectName> some) {
        return known.numbers(names(some));
    }

    private static List<String> names(final Collection<ObjectName> some) {
        return names(Optional.ofNullable(some).orElse(List.of()), name -> name);
    }

    private static <T> List<String> names(final Collection<T> things, final Function<T, ObjectName> name) {
        return things.stream().map(thing -> name.apply(thing).getValue()).toList();
    }

    private static Bandwidth rateOrZero(final BitRate rate) {
        return rate == null ? Bandwidth.ZERO : rate(rate);
    }

    private static Bandwidth rate(final BitRate rate) {
        final Uint64 value = rate.getValue();
        if (value.longValue() < 0) {
            throw new IllegalArgumentException(value + " bit/s are more than " + Long.MAX_VALUE);
        }
        return new Bandwidth(value.longValue());
    }

    /** In the order of their names. */
    private static <T, R> List<R> decoded(final String kind, final Collection<T> things,
            final Function<T, ObjectName> name, final Function<T, R> decode) {
        return things.stream().sorted(Comparator.comparing(thing -> name.apply(thing).getValue()))
            .map(thing -> owned(kind + " " + name.apply(thing).getValue(), () -> decode.apply(thing))).toList();
    }

    /** Says whose entry it is that breaks a rule. */
    private static <R> R owned(final String owner, final Supplier<R> decode) {
        try {
            return decode.get();
        } catch (IllegalArgumentException | NoSuchElementException e) {
            throw new IllegalArgumentException(owner + ": " + e.getMessage(), e);
        }
    }
}
