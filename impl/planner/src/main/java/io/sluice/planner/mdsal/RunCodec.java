// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.core.Instance;
import io.sluice.planner.core.NamedRoute;
import io.sluice.planner.core.Split;
import io.sluice.planner.lp.RoutingAnswer;
import io.sluice.planner.lp.RoutingAnswer.Overloaded;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.lp.RoutingAnswer.Stopped;
import io.sluice.planner.lp.RoutingAnswer.Unroutable;
import io.sluice.planner.plan.Explanation;
import io.sluice.planner.run.Progress;
import io.sluice.planner.run.Status;
import io.sluice.planner.run.Status.End.Answered;
import io.sluice.planner.run.Status.End.Broken;
import io.sluice.planner.run.Status.End.Expanded;
import io.sluice.planner.run.Status.End.Hinted;
import io.sluice.planner.run.Status.End.Proposed;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.DateAndTime;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Delay;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Duration;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Latency;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Objective;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Outcome;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Task;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.binding.Binding;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.binding.BindingBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.binding.BindingKey;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.RunBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.Chain;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.ChainBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.ChainKey;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.run.ProgressBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.routes.Route;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.routes.RouteBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.routes.RouteKey;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.way.Hop;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.way.HopBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.way.HopKey;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Ratio;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Share;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Decimal64;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Runs in the words of {@code sluice-planner}. */
final class RunCodec {
    private static final double MILLION = 1e6;
    private static final int PRICE_DIGITS = 6;
    private static final double TOO_MUCH = 0x1p64;
    /** A price below it would be shown as zero. */
    private static final double LEAST_PRICE = 0.5e-6;

    private RunCodec() {
        // functions only
    }

    static Run run(final int number, final Instant ordered, final Status status) {
        final var run = ordered(number, ordered, status)
            .setOutcome(status.hasBegun() ? Outcome.Running : Outcome.Waiting)
            .setElapsed(status.hasBegun() ? milliseconds(status.elapsedMs()) : null)
            .setRemaining(status.remainingMs().map(RunCodec::milliseconds).orElse(null))
            .setProgress(status.progress().stream().collect(Collectors.toMap(Progress::elapsedMs, step -> step,
                (earlier, later) -> later)).values().stream().map(step -> new ProgressBuilder()
                    .setElapsed(milliseconds(step.elapsedMs())).setGap(gap(step.gap())).build())
                .collect(BindingMap.toMap()));
        if (!status.progress().isEmpty()) {
            final var last = status.progress().get(status.progress().size() - 1);
            values(run, status, last.value(), last.bound(), last.gap());
        }
        status.end().ifPresent(end -> {
            switch (end) {
                case Answered answered -> answer(run, status, answered);
                case Proposed proposed -> FindingCodec.moves(run, proposed);
                case Expanded expanded -> FindingCodec.additions(run, status, expanded);
                case Hinted hinted -> FindingCodec.hints(run, status, hinted);
                case Broken broken -> run.setOutcome(Outcome.Failed).setReason(broken.reason());
            }
        });
        return run.build();
    }

    /** A run whose status is beyond words. */
    static Run unsayable(final int number, final Instant ordered, final Status status, final RuntimeException why) {
        return ordered(number, ordered, status).setOutcome(Outcome.Failed)
            .setReason("it can't be shown: " + Broken.by(why).reason()).build();
    }

    private static RunBuilder ordered(final int number, final Instant ordered, final Status status) {
        return new RunBuilder().setNumber(Uint32.valueOf(number)).setTask(task(status.task()))
            .setObjective(Objective.ofName(status.task().objective().name().toLowerCase(Locale.ROOT)))
            .setStarted(time(ordered));
    }

    static DateAndTime time(final Instant instant) {
        return new DateAndTime(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(instant.atOffset(ZoneOffset.UTC)));
    }

    private static void answer(final RunBuilder run, final Status status, final Answered answered) {
        switch (answered.answer()) {
            case Routed routed -> {
                values(run, status, routed.value(), routed.bound(), routed.gap());
                run.setOutcome(Outcome.Routed).setChain(chains(answered.instance(), routed.splits()))
                    .setBinding(binding(answered.instance(), routed));
            }
            case Overloaded overloaded -> overloaded(run, overloaded.scale(), overloaded.binding());
            case Unroutable unroutable -> run.setOutcome(Outcome.Unroutable)
                .setReason(unroutable.reason());
            case Stopped stopped -> {
                values(run, status, Double.NaN, stopped.bound(), Double.NaN);
                run.setOutcome(Outcome.Stopped).setReason(String.format(Locale.ROOT,
                    "no routes for all traffic were found; these carry %.4g of it", stopped.carried()))
                    .setChain(chains(answered.instance(), stopped.splits()));
            }
        }
    }

    private static Task task(final io.sluice.planner.run.Task task) {
        return switch (task) {
            case io.sluice.planner.run.Task.Routing routing -> Task.Routing;
            case io.sluice.planner.run.Task.Moves moves -> Task.Moves;
            case io.sluice.planner.run.Task.Capacity capacity -> Task.Capacity;
            case io.sluice.planner.run.Task.Placement placement -> Task.Placement;
        };
    }

    static void values(final RunBuilder run, final Status status, final double value, final double bound,
            final double gap) {
        final double unit = status.task().objective() == io.sluice.planner.lp.Objective.SCALE ? MILLION : 1;
        run.setValue(whole(value * unit)).setBound(whole(bound * unit)).setGap(gap(gap));
    }

    /** Rounded, and 0 where it is less; null if it is more than can be said, or nobody knows. */
    static Uint64 whole(final double number) {
        return number < TOO_MUCH ? Uint64.valueOf(new BigDecimal(Math.max(0, number))
            .setScale(0, RoundingMode.HALF_UP).toBigInteger()) : null;
    }

    /** As {@link #whole}. */
    static Latency latency(final double bitsMicroseconds) {
        final var whole = whole(bitsMicroseconds);
        return whole == null ? null : new Latency(whole);
    }

    /** No larger share of all traffic fits: that is the bound, whatever was to be optimised. */
    static void overloaded(final RunBuilder run, final double share, final List<RoutingAnswer.Binding> binding) {
        run.setOutcome(Outcome.Overloaded).setValue(null).setBound(whole(share * MILLION)).setGap(null)
            .setReason(String.format(Locale.ROOT, "no more than %.4g of all traffic fits%s; objective carried routes "
                + "what fits", share, binding.stream().limit(1).map(full -> ": it takes all of " + full.resource())
                .collect(Collectors.joining())))
            .setBinding(binding.stream().map(full -> binding(full.resource(), full.price()))
                .collect(BindingMap.toMap()));
    }

    private static Map<ChainKey, Chain> chains(final Instance instance, final List<Split> splits) {
        return IntStream.range(0, splits.size()).mapToObj(chain -> new ChainBuilder()
            .setName(new ObjectName(instance.problem().chains().get(chain).name()))
            .setRoute(routes(instance, chain, splits.get(chain))).build()).collect(BindingMap.toMap());
    }

    private static Map<RouteKey, Route> routes(final Instance instance, final int chain, final Split split) {
        final var ppm = split.ppm();
        return IntStream.range(0, ppm.length).filter(index -> ppm[index] > 0 && !split.isNowhere(index))
            .mapToObj(index -> route(index, new Explanation.Route(
                NamedRoute.of(instance, instance.chain(chain), split.routeCopy(index)), ppm[index])))
            .collect(BindingMap.toOrderedMap());
    }

    static Map<RouteKey, Route> routes(final List<Explanation.Route> routes) {
        return IntStream.range(0, routes.size()).mapToObj(index -> route(index, routes.get(index)))
            .collect(BindingMap.toOrderedMap());
    }

    private static Route route(final int index, final Explanation.Route route) {
        final var names = route.names();
        return new RouteBuilder().setIndex(Uint16.valueOf(index)).setShare(new Share(Uint32.valueOf(route.ppm())))
            .setIngress(new ObjectName(names.ingress())).setHop(hops(names)).setEgress(new ObjectName(names.egress()))
            .setDelay(delay(names.delayUs())).build();
    }

    static Map<HopKey, Hop> hops(final NamedRoute names) {
        return IntStream.range(0, names.hops().size()).mapToObj(index -> new HopBuilder()
            .setNumber(Uint8.valueOf(index + 1)).setVnf(new ObjectName(names.hops().get(index).vnf()))
            .setSite(new ObjectName(names.hops().get(index).site())).build()).collect(BindingMap.toOrderedMap());
    }

    static Delay delay(final long delayUs) {
        return new Delay(Uint32.valueOf(Math.min(delayUs, Uint32.MAX_VALUE.toJava())));
    }

    /** What binds, with its price as a share of the value; nothing where that is 0, as where nothing takes time. */
    static Map<BindingKey, Binding> binding(final Instance instance, final Routed routed) {
        final double[] prices = routed.prices();
        final double unit = routed.objective() == io.sluice.planner.lp.Objective.SCALE ? 1 : routed.value();
        if (unit <= 0) {
            return Map.of();
        }
        return IntStream.range(0, prices.length).filter(row -> prices[row] > LEAST_PRICE * unit)
            .mapToObj(row -> binding(instance.rowName(row), prices[row] / unit)).collect(BindingMap.toMap());
    }

    private static Binding binding(final String resource, final double price) {
        return new BindingBuilder().setResource(resource).setPrice(Decimal64.valueOf(BigDecimal.valueOf(price)
            .setScale(PRICE_DIGITS, RoundingMode.HALF_UP))).build();
    }

    /** Null as long as there is no value. */
    private static Ratio gap(final double gap) {
        return !Double.isFinite(gap) ? null
            : new Ratio(Uint32.valueOf((long) Math.min(Uint32.MAX_VALUE.toJava(), Math.ceil(gap * MILLION))));
    }

    private static Duration milliseconds(final long ms) {
        return new Duration(Uint32.valueOf(Math.min(ms, Uint32.MAX_VALUE.toJava())));
    }
}
